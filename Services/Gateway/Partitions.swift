import Contracts
import Delivery
import Domain
import Foundation

/// Sends a request to the partition that owns its key, with a timeout.
struct Partitions: Sendable {
    /// Timeout of a reply, ms; longer than it takes to kill and replace a stopped owner.
    static let replyMilliseconds: Int64 = 10_000
    static let statusMilliseconds: Int64 = 1_000

    private static let decoder = JSONDecoder()

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
        do throws(PartitionFault) {
            return try await call(request, of: owner, request.route.subject, milliseconds)
        } catch {
            throw Problem(error)
        }
    }

    /// The decoded reply; the timeout is in ms.
    func ask<R: RequestContract & Routed>(
        _ request: R,
        within milliseconds: Int64 = Self.replyMilliseconds
    ) async throws(Problem) -> R.Reply {
        let reply = try await forward(request, within: milliseconds)
        do throws(PartitionFault) {
            return try Self.decode(R.Reply.self, from: reply)
        } catch {
            throw Problem(error)
        }
    }

    func order(reference: String, of bundle: BundleID, in partition: Int) async throws(Problem) -> OrderV1? {
        let request = OrderGetV1(bundleId: bundle, reference: reference)
        let address = PartitionAddress(.orders, partition)
        do throws(PartitionFault) {
            let reply = try await call(request, of: address, bundle.rawValue, Self.replyMilliseconds)
            return try Self.decode(OrderV1.self, from: reply)
        } catch {
            if case .refused(let refusal) = error, refusal.code == .notFound { return nil }
            throw Problem(error)
        }
    }

    /// The status of a partition; nil when it does not reply in time.
    func status(of partition: PartitionAddress) async -> PartitionStatus? {
        do throws(PartitionFault) {
            let reply = try await caller.ask(
                PartitionStatusV1(),
                of: partition,
                subject: partition.description,
                within: Self.statusMilliseconds
            )
            return try Self.decode(PartitionStatus.self, from: reply)
        } catch {
            return nil
        }
    }

    private func call(
        _ request: some RequestContract,
        of partition: PartitionAddress,
        _ subject: String,
        _ milliseconds: Int64
    ) async throws(PartitionFault) -> Data {
        crash.reach(.beforeRequest)
        let reply = try await caller.ask(request, of: partition, subject: subject, within: milliseconds)
        crash.reach(.afterRequest)
        return reply
    }

    private static func decode<Reply: Decodable>(
        _ type: Reply.Type,
        from reply: Data
    ) throws(PartitionFault) -> Reply {
        do {
            return try decoder.decode(type, from: reply)
        } catch {
            throw .unanswered
        }
    }
}
