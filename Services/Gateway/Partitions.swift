import Contracts
import Delivery
import Domain
import Foundation

/// Sends a request to the partition that owns its key, and bounds how long its reply is waited for.
struct Partitions: Sendable {
    /// How long a reply is waited for, in ms; longer than it takes to kill and replace a stopped owner.
    static let replyMilliseconds: Int64 = 10_000
    /// How long a partition may take to tell its status, in ms.
    static let statusMilliseconds: Int64 = 1_000

    private static let decoder = JSONDecoder()

    /// How many each service has.
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

    /// The JSON of the reply to a request, to be passed on without being decoded; the timeout is in ms.
    func forward(
        _ request: some Request & Partitioned,
        to service: ServiceName,
        within milliseconds: Int64 = Self.replyMilliseconds
    ) async throws(Problem) -> Data {
        guard let key = request.partitionKey else { throw .internalFault }
        do throws(PartitionFault) {
            return try await call(request, of: key.address(in: service, of: count), key.subject, milliseconds)
        } catch {
            throw Problem(error)
        }
    }

    /// The reply to a request; the timeout is in ms.
    func ask<R: Request & Partitioned>(
        _ request: R,
        of service: ServiceName,
        within milliseconds: Int64 = Self.replyMilliseconds
    ) async throws(Problem) -> R.Reply {
        let reply = try await forward(request, to: service, within: milliseconds)
        do throws(PartitionFault) {
            return try Self.decode(R.Reply.self, from: reply)
        } catch {
            throw Problem(error)
        }
    }

    /// The order with this reference in one partition of Orders; nil when there is none.
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
        _ request: some Request,
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
