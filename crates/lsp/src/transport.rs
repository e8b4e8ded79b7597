//! Messages on byte streams.
//!
//! lsp-server's own reader ends at the first text that is no message, and takes any length it is told. Here such a text
//! is answered with an error, as JSON-RPC asks, and reading goes on.

use crossbeam_channel::{Receiver, Sender, bounded};
use lsp_server::{Connection, ErrorCode, Message};
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// No message of an editor is longer.
const MAX_LENGTH: u64 = 1 << 30;

/// A connection over two streams. The threads end when the client says `exit` or closes its end.
pub(crate) fn connect(
    mut input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<(Connection, JoinHandle<io::Result<()>>)> {
    let (to_server, receiver) = bounded(0);
    let (sender, from_server): (Sender<Message>, Receiver<Message>) = bounded(0);
    let output = Arc::new(Mutex::new(output));
    let answers = output.clone();
    let read = move || -> io::Result<()> {
        while let Some(frame) = next_frame(&mut input)? {
            match frame.and_then(|text| message(&text)) {
                Ok(message) => {
                    let is_exit =
                        matches!(&message, Message::Notification(n) if n.method == "exit");
                    if to_server.send(message).is_err() || is_exit {
                        break;
                    }
                }
                Err(why) => refuse(&answers, &why)?,
            }
        }
        Ok(())
    };
    let write = move || {
        from_server.iter().try_for_each(|message: Message| {
            let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
            message.write(&mut *output)
        })
    };
    // The reader may wait for a client that says nothing more; only the writer is waited for.
    thread::Builder::new().name("read".to_owned()).spawn(read)?;
    let writer = thread::Builder::new()
        .name("write".to_owned())
        .spawn(write)?;
    Ok((Connection { sender, receiver }, writer))
}

/// The text of the next message, or why there is none; `None` at the end of the stream.
fn next_frame(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        // A line without end is no header.
        if input.take(1 << 16).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let Some(length) = length.filter(|&length| length <= MAX_LENGTH) else {
        return Ok(Some(Err(
            "a header without a usable Content-Length".to_owned()
        )));
    };
    let mut body = Vec::new();
    if input.take(length).read_to_end(&mut body)? as u64 != length {
        return Ok(None);
    }
    Ok(Some(
        String::from_utf8(body).map_err(|error| error.to_string()),
    ))
}

fn message(text: &str) -> Result<Message, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Answers what is no message. Its id is not known.
fn refuse(output: &Mutex<impl Write>, why: &str) -> io::Result<()> {
    let answer = serde_json::json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": { "code": ErrorCode::ParseError as i32, "message": format!("not a message: {why}") },
    })
    .to_string();
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    write!(output, "Content-Length: {}\r\n\r\n{answer}", answer.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no writer panics").extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn frame(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn what_is_no_message_is_answered_and_the_next_message_is_read() {
        let input = [
            frame("{"),
            frame("{\"jsonrpc\": \"2.0\"}"),
            "Content-Length: many\r\n\r\n".to_owned(),
            "Content-Length: 99999999999999999\r\n\r\n".to_owned(),
            frame("{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}"),
            frame("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}"),
        ]
        .concat();
        let sink = Sink::default();
        let (connection, writer) =
            connect(io::Cursor::new(input), sink.clone()).expect("threads can be had");
        let methods: Vec<String> = connection
            .receiver
            .iter()
            .map(|message| match message {
                Message::Notification(notification) => notification.method,
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(methods, ["hello", "exit"]);
        drop(connection);
        writer.join().expect("no panic").expect("a sink takes all");
        let answers = String::from_utf8(sink.0.lock().expect("no writer panics").clone());
        let answers = answers.expect("answers are text");
        assert_eq!(answers.matches("-32700").count(), 4, "{answers}");
    }
}
