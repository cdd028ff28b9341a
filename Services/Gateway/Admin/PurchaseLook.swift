import Contracts
import Domain
import HTTPTypes

/// Finds the one partition that knows a purchase, and what a decision about it would do.
struct PurchaseLook: Sendable {
    /// Where the purchase is, and what would happen.
    typealias Found = (at: PartitionAddress, look: ReassignmentV1)

    let gateway: GatewayContext

    /// - Throws: `Problem`: 404 where no partition has it, 503 where one that may have it does not answer.
    func find(_ request: ClaimReassignV1, namedIn field: String) async throws -> Found {
        var look = request
        look.isDryRun = true
        let answers = await answers(look)
        let found = answers.compactMap(\.found)
        guard found.count <= 1 else { throw Problem.unacceptable("bundleId", "must name the app") }
        if let only = found.first { return only }
        let problems = answers.compactMap(\.problem)
        throw problems.first { $0.status != .notFound }
            ?? .notFound("No such purchase is known.", field: field)
    }

    private typealias Answer = (found: Found?, problem: Problem?)

    private func answers(_ look: ClaimReassignV1) async -> [Answer] {
        await withTaskGroup(of: Answer.self) { group in
            for partition in 0..<gateway.partitions.count {
                let address = PartitionAddress(.receipts, partition)
                group.addTask {
                    do throws(Problem) {
                        let subject = look.purchaseId.rawValue
                        return (
                            (address, try await gateway.partitions.ask(look, of: address, subject: subject)),
                            nil
                        )
                    } catch {
                        return (nil, error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Whether amounts move with a purchase; one that the catalog does not know may have given some.
    func givesAmounts(_ look: ReassignmentV1) -> Bool {
        let grants: [Catalog.Grant]? =
            switch gateway.catalog.lookup(bundleID: look.bundleId, productID: look.productId) {
            case .active(_, let grants, _): grants
            case .retired(_, let grants, _): grants
            case .unknown: nil
            }
        return grants.map { $0.contains(where: \.isCounted) } ?? true
    }
}
