fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let parse = modeshift_syntax::parse(&text);
    for e in &parse.errors {
        println!("{} {}", e.code.as_str(), e.message);
        for l in &e.labels {
            println!("    {:?} {:?} {}", l.at, text.get(l.at.range()), l.message);
        }
        for f in &e.fixes {
            println!("    fix {} {:?}", f.title, f.edits);
        }
    }
    println!("{}", parse.file);
}
