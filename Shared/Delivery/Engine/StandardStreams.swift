package import Contracts
import Foundation

/// A partition on standard streams: one JSON object a line in, one a line out.
///
/// In: `{"event":…}` or `{"request":…}`, beside it what a record says of it: `now`, `seed`, `partition`. A line with
/// only `now` or `seed` sets them for what follows. Out: `{"send":{"to","event"}}`, `{"reply":…}`, `{"refused":…}`.
/// With the same input, time and seed the output is the same, byte for byte.
package struct StandardStreams {
    /// What is given instead of what the lines say; nil follows the lines, and without them the clock and chance.
    package struct Settings {
        package var now: Timestamp?
        package var hasSeed: Bool
        /// Lines that were recorded in another partition are passed over; nil takes them all.
        package var partition: Int?

        package init(now: Timestamp? = nil, hasSeed: Bool = false, partition: Int? = nil) {
            self.now = now
            self.hasSeed = hasSeed
            self.partition = partition
        }
    }

    /// Lines so far with which nothing could be done, as they are no JSON, no message or none for this service.
    package private(set) var unusableLines = 0

    private let engine: PartitionEngine
    private let settings: Settings
    private let encoder = EventCoder.encoder()
    /// The time that a line has said last.
    private var heard: Timestamp?

    package init(engine: PartitionEngine, _ settings: Settings) {
        self.engine = engine
        self.settings = settings
    }

    private struct Line: Decodable {
        var now: String?
        var seed: UInt64?
        var partition: Int?
        var event: JSONValue?
        var request: JSONValue?

        /// What a line says; nil when it is no such object, or says nothing.
        init?(_ text: String) {
            do { self = try JSONDecoder().decode(Line.self, from: Data(text.utf8)) } catch { return nil }
            if let now, Timestamp(rfc3339: now) == nil { return nil }
            if event == nil, request == nil, now == nil, seed == nil { return nil }
        }
    }

    private struct Sent: Encodable {
        var to: PartitionAddress
        var event: JSONValue
    }

    /// Handles one line; returns the lines to print.
    ///
    /// - Throws: `StoreError`.
    package mutating func handle(_ text: String, number: Int) throws -> [String] {
        guard let line = Line(text) else {
            unusableLines += 1
            return [try self.line("refused", RequestRefusal(.invalid, Self.fault(of: text, number: number)))]
        }
        if let own = settings.partition, let partition = line.partition, partition != own { return [] }
        heard = line.now.flatMap(Timestamp.init(rfc3339:)) ?? heard
        if let seed = line.seed, !settings.hasSeed { engine.settings.identifiers.restart(seed: seed) }
        guard let input = try input(line, number: number) else { return [] }
        return try lines(engine.handle([input], at: moment)) + redriven(at: moment)
    }

    /// Why a line is of no use, and where in it that shows, if it is not JSON.
    private static func fault(of text: String, number: Int) -> String {
        do throws(JSONText.Fault) {
            _ = try JSONText(text.utf8)
            return "line \(number): not an object with \"event\" or \"request\""
        } catch {
            return "line \(number), column \(error.place.column): \(error.problem)"
        }
    }

    private var moment: Moment { (settings.now ?? heard).map { Moment(now: $0, uptime: 0) } ?? .current() }

    /// What a redrive sends that the line asked for.
    private func redriven(at moment: Moment) throws -> [String] {
        var lines: [String] = []
        while engine.dueRedrive != nil { lines += try self.lines(engine.redrive(at: moment)) }
        return lines
    }

    /// Answers those who still wait, as their deadline would.
    ///
    /// - Throws: `StoreError`.
    package func end() throws -> [String] {
        let late = Moment(now: moment.now, uptime: .max / 2)
        return try lines(engine.handle([.tick], at: late))
    }

    private mutating func input(_ line: Line, number: Int) throws -> PartitionInput? {
        guard let message = line.request ?? line.event else { return nil }
        let bytes = [UInt8](try encoder.encode(message))
        let isRequest = line.request != nil
        if !isUsable(bytes, isRequest: isRequest) { unusableLines += 1 }
        guard isRequest else { return .direct(bytes) }
        let header = WireHeader(request: .init(id: String(number), within: .max / 4))
        return .arrived(WireMessage(header, body: [bytes]), connection: [])
    }

    /// Whether the service has a handler for a message, and takes it in this way.
    private func isUsable(_ bytes: [UInt8], isRequest: Bool) -> Bool {
        guard case .message(_, let type) = engine.decoder.decode(bytes) else { return false }
        return engine.table.requestTypes.contains(type) == isRequest
    }

    private func lines(_ output: PartitionOutput) throws -> [String] {
        var lines: [String] = []
        for sent in output.sent {
            let event = try JSONDecoder().decode(JSONValue.self, from: Data(sent.event))
            lines.append(try line("send", Sent(to: sent.to, event: event)))
        }
        for refusal in output.refusals { lines.append(try line("refused", refusal)) }
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
