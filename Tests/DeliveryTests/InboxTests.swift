import Contracts
import Testing
import ZeroMQ

@testable import Delivery

@Suite struct `an inbox` {
    private static func message(_ bytes: Int, peer: UInt8 = 1) -> Inbound {
        Inbound(socket: SocketID(rawValue: 1), peer: [peer], frames: [[UInt8](repeating: 0, count: bytes)])
    }

    private static func request(_ identifier: String, _ bytes: Int, peer: UInt8 = 1) -> Inbound {
        let orders = PartitionAddress(.orders, 0)
        let header = WireHeader(request: .init(id: identifier, to: orders, within: 1_000))
        let message = WireMessage(header, body: [[UInt8](repeating: 0x20, count: bytes)])
        return Inbound(socket: SocketID(rawValue: 1), peer: [peer], frames: WireCoder().encode(message))
    }

    /// What the inbox keeps of a large request that it takes.
    private func admit(_ message: Inbound, as identifier: String, by inbox: Inbox) throws -> LargeRequest {
        let admission = inbox.admit(message, identifier: identifier)
        guard case .taken(let request) = admission else { throw NotAdmitted(admission: admission) }
        return request
    }

    private struct NotAdmitted: Error { let admission: Inbox.Admission }

    private func sizes(_ arrivals: [Arrival]) -> [Int] {
        arrivals.compactMap { $0.message?.frames.last?.count }
    }

    @Test func `gives back what is above its bytes, and takes more when some was taken out`() {
        let inbox = Inbox()
        let most = Inbox.boundBytes / Inbox.hugeBytes
        let messages = (0..<most + 3).map { _ in Arrival.message(Self.message(Inbox.hugeBytes)) }
        #expect(inbox.put(messages).count == 3)
        let signal = Arrival.input(.connected(PartitionAddress(.orders, 0)))
        #expect(inbox.put([signal]).isEmpty, "what holds nothing has room")
        #expect(inbox.take(limit: 2).count == 2)
        #expect(inbox.put(messages).count == messages.count - 2)
    }

    @Test func `gives back what is above its count`() {
        let inbox = Inbox()
        let messages = (0..<Inbox.bound + 2).map { _ in Arrival.message(Self.message(1)) }
        #expect(inbox.put(messages).count == 2)
    }

    @Test func `is never so full of huge requests that no other has room`() throws {
        let inbox = Inbox()
        let huge = 4 << 20
        let admitted = (0..<128).count { number in
            guard case .taken = inbox.admit(Self.message(huge), identifier: "\(number)") else { return false }
            return true
        }
        #expect(admitted == Inbox.hugeBoundBytes / huge)
        #expect(inbox.put([.message(Self.message(6_000))]).isEmpty)
        _ = try admit(Self.message(100_000), as: "usual", by: inbox)
    }

    @Test func `never drops what nobody would repeat`() {
        let inbox = Inbox()
        let item = WorkItem(key: "a", payload: [])
        for _ in 0..<3 {
            let result = [UInt8](repeating: 0, count: Inbox.boundBytes)
            inbox.enqueueUnbounded(.input(.worked(item, result: result)))
        }
        #expect(inbox.take(limit: 9).count == 3)
        #expect(inbox.put([.message(Self.message(1))]).isEmpty)
    }

    @Test func `gives some large requests at a time, the smallest first, and lets all others in between`()
        throws
    {
        let inbox = Inbox()
        for (number, bytes) in [300_000, 10_000, 250_000, 20_000].enumerated() {
            inbox.offer(try admit(Self.message(bytes), as: "\(number)", by: inbox))
        }
        var order: [[Int]] = []
        for _ in 0..<3 {
            inbox.put([.message(Self.message(1)), .message(Self.message(2))])
            order.append(sizes(inbox.take(limit: 9)))
            order.append(sizes(inbox.take(limit: 9)))
        }
        #expect(order == [[1, 2], [10_000, 20_000], [1, 2], [250_000], [1, 2], [300_000]])
    }

    @Test func `keeps a large request that is repeated once, and answers where it was asked last`() throws {
        let inbox = Inbox()
        let request = try admit(Self.message(10_000), as: "a", by: inbox)
        guard case .repeated = inbox.admit(Self.message(10_000, peer: 2), identifier: "a") else {
            Issue.record("a second one")
            return
        }
        inbox.offer(request)
        let taken = inbox.take(limit: 9)
        #expect(taken.compactMap(\.message?.peer) == [[2]])
        _ = try admit(Self.message(10_000), as: "a", by: inbox)
    }

    @Test func `has large requests read ahead, but none while what ends the process is looked for`() throws {
        let room = ReadAheadPool { _ in }
        for mayReadAhead in [false, true] {
            let inbox = Inbox()
            inbox.mayReadAhead = mayReadAhead
            let small = Self.request("small", 100)
            let large = Self.request("large", ReadAheadPool.largeBytes)
            #expect(room.sort([large, small], into: inbox).isEmpty)
            var taken = sizes(inbox.take(limit: 9))
            taken += sizes(inbox.take(limit: 9))
            // Nobody reads in a room that is not open.
            #expect(taken == (mayReadAhead ? [100] : [100, ReadAheadPool.largeBytes]))
        }
    }
}
