package import Contracts
import Foundation

/// A partition on standard streams: one JSON object a line in, one a line out.
///
/// In: `{"event":…}` or `{"request":…}`. Out: `{"send":{"to","event"}}`, `{"reply":…}`, `{"refused":…}`. With the
/// same input, time and seed the output is the same, byte for byte.
package struct StandardStreams {
    private let engine: PartitionEngine
    private let moment: Moment
    private let encoder = EventCoder.encoder()

    /// A driver around an engine that has taken its store over.
    ///
    /// `now` is the time that every message is handled at; nil follows the clock.
    package init(engine: PartitionEngine, now: Timestamp?) {
        self.engine = engine
        fixed = now
        moment = now.map { Moment(now: $0, uptime: 0) } ?? .current()
    }

    private let fixed: Timestamp?

    private struct Line: Decodable {
        var event: JSONValue?
        var request: JSONValue?
    }

    private struct Sent: Encodable {
        var to: PartitionAddress
        var event: JSONValue
    }

    /// Handles one line; returns the lines to print.
    ///
    /// - Throws: `StoreError`.
    package func handle(_ text: String, number: Int) throws -> [String] {
        guard let input = input(text) else {
            let detail = "line \(number): not an object with \"event\" or \"request\""
            return [try line("refused", RequestRefusal(.invalid, detail))]
        }
        return try lines(engine.handle([input], at: fixed == nil ? .current() : moment))
    }

    /// Answers those who still wait, as their deadline would.
    ///
    /// - Throws: `StoreError`.
    package func end() throws -> [String] {
        let late = Moment(now: moment.now, uptime: .max / 2)
        return try lines(engine.handle([.tick], at: late))
    }

    private func input(_ text: String) -> PartitionInput? {
        do {
            let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            if let event = line.event { return .direct([UInt8](try encoder.encode(event))) }
            guard let request = line.request else { return nil }
            let header = WireHeader(request: .init(id: "-", within: .max / 4))
            return .arrived(WireMessage(header, body: [[UInt8](try encoder.encode(request))]), connection: [])
        } catch {
            return nil
        }
    }

    private func lines(_ output: PartitionOutput) throws -> [String] {
        var lines: [String] = []
        for sent in output.sent {
            let event = try JSONDecoder().decode(JSONValue.self, from: Data(sent.event))
            lines.append(try line("send", Sent(to: sent.to, event: event)))
        }
        for refusal in output.kept { lines.append(try line("refused", refusal)) }
        for reply in output.replies {
            if let refusal = reply.message.header.reply?.refused {
                lines.append(try line("refused", refusal))
            } else if let body = reply.message.body.first {
                lines.append("{\"reply\":\(String(decoding: body, as: UTF8.self))}")
            }
        }
        return lines
    }

    private func line(_ kind: String, _ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode([kind: value]), as: UTF8.self)
    }
}
