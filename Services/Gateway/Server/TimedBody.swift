import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
import NIOCore

/// The body of a request, for which its sender has so much time and no more.
///
/// A body that is late ends with a `Problem` 503: it is never final, and the sender may repeat the request.
final class TimedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// How long any body may take, in seconds.
    static let seconds: Int64 = 10
    /// How many announced bytes give a further second.
    static let bytesPerSecond = 65_536

    private enum Reading {
        case notBegun, begun, done
    }

    private struct State {
        var reading = Reading.notBegun
        var takeBack: BodyAlarm.Action?
    }

    private let body: RequestBody
    private let state = NIOLockedValueBox(State())

    /// The body of a request; nil when the request announces none.
    init?(of request: Request, on channel: any Channel, _ alarm: BodyAlarm) {
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        guard request.headers[.transferEncoding] != nil || announced ?? 0 > 0 else { return nil }
        body = request.body
        let takeBack = alarm.set(channel, Self.allowance(announced: announced ?? 0)) {
            channel.pipeline.fireErrorCaught(Problem.late)
        }
        state.withLockedValue { $0.takeBack = takeBack }
    }

    /// How long a body of so many bytes may take.
    static func allowance(announced bytes: Int) -> TimeAmount {
        let bytes = Swift.min(Swift.max(0, bytes), BodyLimit.receipt.rawValue)
        return .seconds(seconds + Int64(bytes / bytesPerSecond))
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

    private func end() {
        state.withLockedValue { $0.reading = .done }
        stop()
    }

    /// Passes on what comes, and sees the end.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: RequestBody.AsyncIterator
        fileprivate let owner: TimedBody

        @concurrent mutating func next() async throws -> ByteBuffer? {
            let chunk = try await base.next()
            if chunk == nil { owner.end() }
            return chunk
        }
    }
}
