// Which modeshift runs: the one that the settings name, the one inside the extension, or the one on the PATH.

import { existsSync } from "node:fs";
import { join } from "node:path";

export function executable(setting: string | undefined, extensionPath: string, platform: string): string {
  if (setting) return setting;
  const name = platform === "win32" ? "modeshift.exe" : "modeshift";
  const bundled = join(extensionPath, "bin", name);
  return existsSync(bundled) ? bundled : name;
}
