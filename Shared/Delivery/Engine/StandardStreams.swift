package import Contracts
import FoundationEssentials

/// A partition on standard streams, one JSON object per line.
///
/// In: `{"event":…}` or `{"request":…}`, with a record's `now`, `seed` and `partition`. A line with only `now` or
/// `seed` sets them for the following lines. Out: `{"send":{"to","event"}}`, `{"reply":…}`, `{"refused":…}`. The same
/// input, time and seed give the same output, byte for byte.
package struct StandardStreams {
    /// Lines so far that are no JSON, no message, or no message for this service.
    package private(set) var unusableLines = 0

    private let engine: PartitionEngine
    /// Overrides the lines' time, which overrides the clock's.
    private let now: Timestamp?
    /// Whether the seeds of the lines are overridden.
    private let hasSeed: Bool
    /// Lines recorded in another partition are skipped; nil takes all.
    private let partition: Int?
    private let encoder = EventCoder.encoder()
    private var heard: Timestamp?

    /// Takes the partition over.
    ///
    /// - Throws: `StoreError`, `PartitionIdentity.Mismatch`.
    package init(engine: PartitionEngine, now: Timestamp?, hasSeed: Bool, partition: Int?) throws {
        self.engine = engine
        self.now = now
        self.hasSeed = hasSeed
        self.partition = partition
        _ = try engine.takeOver(at: clock)
    }

    private struct Line: Decodable {
        var now: String?
        var seed: UInt64?
        var partition: Int?
        var event: JSONValue?
        var request: JSONValue?

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
        if let own = partition, let partition = line.partition, partition != own { return [] }
        heard = line.now.flatMap(Timestamp.init(rfc3339:)) ?? heard
        if let seed = line.seed, !hasSeed { engine.settings.identifiers.restart(seed: seed) }
        guard let input = try input(line, number: number) else { return [] }
        let clock = clock
        var lines = try self.lines(engine.handle([input], at: clock))
        while engine.dueRedrive != nil { lines += try self.lines(engine.redrive(at: clock)) }
        return lines
    }

    /// Why a line is unusable, with the position of a JSON fault.
    private static func fault(of text: String, number: Int) -> String {
        do throws(JSONText.Fault) {
            _ = try JSONText(text.utf8)
            return "line \(number): not an object with \"event\" or \"request\""
        } catch {
            return "line \(number), column \(error.place.column): \(error.problem)"
        }
    }

    private var clock: ClockReading {
        (now ?? heard).map { ClockReading(now: $0, uptime: 0) } ?? .current()
    }

    /// Answers all waiting requests, as their deadline would.
    ///
    /// - Throws: `StoreError`.
    package func end() throws -> [String] {
        let late = ClockReading(now: clock.now, uptime: .max / 2)
        return try lines(engine.handle([.tick], at: late))
    }

    private mutating func input(_ line: Line, number: Int) throws -> PartitionInput? {
        guard let message = line.request ?? line.event else { return nil }
        let bytes = [UInt8](try encoder.encode(message))
        let isRequest = line.request != nil
        if !isUsable(bytes, isRequest: isRequest) { unusableLines += 1 }
        guard isRequest else { return .direct(bytes) }
        let (id, to) = (String(number), engine.settings.address)
        return .request(.init(id: id, to: to, within: .max / 4, event: bytes, connection: []))
    }

    private func isUsable(_ bytes: [UInt8], isRequest: Bool) -> Bool {
        guard case .message(let message) = engine.decoder.decode(bytes) else { return false }
        return engine.table.requestTypes.contains(message.type) == isRequest
    }

    private func lines(_ output: PartitionOutput) throws -> [String] {
        var lines: [String] = []
        for sent in output.sent {
            let event = try JSONDecoder().decode(JSONValue.self, from: Data(sent.bytes))
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
