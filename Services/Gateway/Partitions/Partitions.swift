import Contracts
import Delivery
import Domain
import FoundationEssentials

/// Sends a request to the partition that owns its key, with a timeout.
struct Partitions: Sendable {
    /// Timeout of a reply, ms; longer than it takes to kill and replace a stopped owner.
    static let replyMilliseconds: Int64 = 10_000

    private static let decoder = EventDecoder()

    let count: Int
    private let caller: any PartitionCaller
    private let crash: CrashSwitch

    init(count: Int, caller: any PartitionCaller, crash: CrashSwitch = .off) {
        self.count = count
        self.caller = caller
        self.crash = crash
    }

    var all: [PartitionAddress] {
        ServiceName.allCases.flatMap { service in (0..<count).map { PartitionAddress(service, $0) } }
    }

    /// The reply's JSON, undecoded; the timeout is in ms.
    func forward(
        _ request: some RequestContract & Routed,
        within milliseconds: Int64 = Self.replyMilliseconds
    ) async throws(Problem) -> Data {
        guard let owner = request.route.owner(of: count) else { throw .internalFault }
        crash.reach(.beforeRequest)
        let subject = request.route.subject
        let reply = try await caller.ask(request, of: owner, subject: subject, within: milliseconds)
        crash.reach(.afterRequest)
        return reply
    }

    /// The decoded reply; the timeout is in ms.
    func ask<R: RequestContract & Routed>(
        _ request: R,
        within milliseconds: Int64 = Self.replyMilliseconds
    ) async throws(Problem) -> R.Reply {
        try Self.decode(R.Reply.self, from: try await forward(request, within: milliseconds))
    }

    /// The decoded reply of a partition that owns no key of the request; the timeout is in ms.
    func ask<R: RequestContract>(
        _ request: R,
        of partition: PartitionAddress,
        subject: String,
        within milliseconds: Int64 = Self.replyMilliseconds
    ) async throws(Problem) -> R.Reply {
        let reply = try await caller.ask(request, of: partition, subject: subject, within: milliseconds)
        return try Self.decode(R.Reply.self, from: reply)
    }

    private static func decode<Reply: Decodable>(
        _ type: Reply.Type,
        from reply: Data
    ) throws(Problem) -> Reply {
        do { return try decoder.decode(type, from: [UInt8](reply)) } catch { throw .unanswered }
    }
}
