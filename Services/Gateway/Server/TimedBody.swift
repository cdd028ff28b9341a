import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
import NIOCore

/// The body of a request, for which its sender has so much time and no more.
///
/// A body that is late, or comes too slowly, ends with a `Problem` 503: it is never final, and the sender may repeat
/// the request.
final class TimedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// The body of the request that is being answered.
    @TaskLocal static var current: TimedBody?

    /// How long any body may take, in seconds.
    static let seconds: Int64 = 10
    /// How many announced bytes give a further second.
    static let bytesPerSecond = 65_536
    /// How long a body may come at any rate, in seconds.
    static let slowSeconds: Int64 = 3
    /// How many bytes a second must have come from then on, on the average.
    static let minimumRate: Int64 = 4_096

    private enum Reading {
        case notBegun, begun, done
    }

    private struct State {
        var reading = Reading.notBegun
        var takeBack: ConnectionAlarm.Action?
        var bytes: Int64 = 0
    }

    /// Ends it now with a problem, wherever its reader waits.
    let breakOff: @Sendable (Problem) -> Void
    private let body: RequestBody
    private let now: @Sendable () -> NIODeadline
    private let begin: NIODeadline
    private let state = NIOLockedValueBox(State())

    /// The body of a request; nil when the request announces none.
    init?(of request: Request, on channel: any Channel, _ alarm: ConnectionAlarm) {
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        guard request.headers[.transferEncoding] != nil || announced ?? 0 > 0 else { return nil }
        body = request.body
        now = alarm.now
        begin = alarm.now()
        let breakOff: @Sendable (Problem) -> Void = { channel.pipeline.fireErrorCaught($0) }
        self.breakOff = breakOff
        let takeBack = alarm.set(channel, Self.allowance(announced: announced ?? 0)) { breakOff(.late) }
        state.withLockedValue { $0.takeBack = takeBack }
    }

    /// How long a body of so many bytes may take.
    static func allowance(announced bytes: Int) -> TimeAmount {
        let bytes = Swift.min(Swift.max(0, bytes), BodyLimit.receipt.rawValue)
        return .seconds(seconds + Int64(bytes / bytesPerSecond))
    }

    /// Whether so many bytes in so much time are too few.
    static func isTooSlow(bytes: Int64, in time: TimeAmount) -> Bool {
        let late = time - .seconds(slowSeconds)
        return late > .zero && bytes < late.nanoseconds / 1_000_000 * minimumRate / 1_000
    }

    /// Whether reading began and did not come to the end.
    var isBrokenOff: Bool { state.withLockedValue { $0.reading == .begun } }

    /// Reads what nobody has begun to read, so that the connection can be used again.
    ///
    /// - Throws: `Problem` 503 when it is late; or what reading from the connection throws.
    @concurrent func drain() async throws {
        guard state.withLockedValue({ $0.reading == .notBegun }) else { return }
        for try await _ in self {}
    }

    /// Stops the time.
    func stop() {
        state.withLockedValue { state in
            let takeBack = state.takeBack
            state.takeBack = nil
            return takeBack
        }?()
    }

    /// Begins to read; can be done once.
    func makeAsyncIterator() -> Iterator {
        state.withLockedValue { $0.reading = .begun }
        return Iterator(base: body.makeAsyncIterator(), owner: self)
    }

    private func add(_ chunk: ByteBuffer) throws(Problem) {
        let bytes = state.withLockedValue { state in
            state.bytes += Int64(chunk.readableBytes)
            return state.bytes
        }
        guard Self.isTooSlow(bytes: bytes, in: now() - begin) else { return }
        throw .late
    }

    private func end() {
        state.withLockedValue { $0.reading = .done }
        stop()
    }

    /// Passes on what comes, and sees the end.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: RequestBody.AsyncIterator
        fileprivate let owner: TimedBody

        @concurrent mutating func next() async throws -> ByteBuffer? {
            guard let chunk = try await base.next() else {
                owner.end()
                return nil
            }
            try owner.add(chunk)
            return chunk
        }
    }
}
