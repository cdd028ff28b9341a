import Contracts
import Domain
import HTTPTypes

/// Finds the one partition that knows a purchase, and what a decision about it would do.
struct PurchaseLook: Sendable {
    /// Where the purchase is, and what would happen.
    typealias Found = (at: PartitionAddress, look: ReassignmentV1)

    let gateway: GatewayContext

    /// - Throws: `Problem`: 404 where no partition has it, 503 where one that may have it does not answer.
    func find(_ request: ClaimReassignV1, namedIn field: String) async throws(Problem) -> Found {
        var look = request
        look.isDryRun = true
        let answers = await answers(look)
        let found = answers.compactMap(\.found)
        guard found.count <= 1 else { throw Problem.unacceptable("bundleId", "must name the app") }
        if let only = found.first { return only }
        let problems = answers.compactMap(\.problem).map { $0.about(field) }
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

    /// Has a decision taken where the purchase was found; a refusal names the field of this request.
    func decide(
        _ request: ClaimReassignV1,
        _ found: Found,
        namedIn field: String
    ) async throws(Problem) -> ReassignmentV1 {
        do throws(Problem) {
            let subject = request.purchaseId.rawValue
            return try await gateway.partitions.ask(request, of: found.at, subject: subject)
        } catch {
            throw error.about(field)
        }
    }

    /// Whether amounts move with a purchase: what it has given its holder, or what the catalog says where that is
    /// nothing.
    ///
    /// One that the catalog does not know may give some. What the catalog gives now does not say what was given before.
    func movesAmounts(
        _ look: ReassignmentV1,
        in environment: Contracts.Environment
    ) async throws(Problem) -> Bool {
        guard let holder = look.holderId else { return givesAmounts(look) }
        let question = GivenAmountsGetV1(
            bundleId: look.bundleId,
            buyerId: holder,
            environment: environment,
            purchaseId: look.purchaseId
        )
        return try await gateway.partitions.ask(question).hasGiven ?? givesAmounts(look)
    }

    private func givesAmounts(_ look: ReassignmentV1) -> Bool {
        let grants: [Catalog.Grant]? =
            switch gateway.catalog.lookup(bundleID: look.bundleId, productID: look.productId) {
            case .active(_, let grants, _): grants
            case .retired(_, let grants, _): grants
            case .unknown: nil
            }
        return grants.map { $0.contains(where: \.isCounted) } ?? true
    }
}

extension Problem {
    /// The same about the field by which a request names its purchase.
    func about(_ field: String) -> Problem {
        guard self.field == "purchaseId" || self.field == "appleOrderId" else { return self }
        var problem = self
        problem.field = field
        return problem
    }
}
