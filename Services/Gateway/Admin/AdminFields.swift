import Contracts
import Crypto
import Domain
import Program

/// What several requests of operators have in common.
extension AdminRequest {
    /// The app that is named, or the only one.
    func app(_ named: String?, in configuration: Configuration) throws(Problem) -> Configuration.App {
        guard let named else {
            guard let only = configuration.apps.first, configuration.apps.count == 1 else {
                throw .unacceptable("bundleId", "must name one of the apps")
            }
            return only
        }
        let app = BundleID(rawValue: named).flatMap { configuration.app($0) }
        guard let app else { throw .unacceptable("bundleId", "names no app of this home") }
        return app
    }

    /// The environment of a purchase, whatever its app; without one, that of paid purchases.
    func environment(ofPurchase text: String?) throws(Problem) -> Contracts.Environment {
        guard let text else { return .production }
        let known: [Contracts.Environment] = [.production, .sandbox, .xcode, .localTesting]
        guard let environment = known.first(where: { $0.rawValue == text }) else {
            throw .unacceptable("environment", "must be one of Production, Sandbox, Xcode, LocalTesting")
        }
        return environment
    }

    /// The app that is named; nil where any app may have the purchase.
    func app(ofPurchase named: String?, in configuration: Configuration) throws(Problem) -> BundleID? {
        guard named != nil else { return nil }
        return try app(named, in: configuration).bundleId
    }

    /// Why it is done, in the operator's own words.
    func reason(_ text: String) throws(Problem) -> String {
        try Field.printable(text, "reason", bytes: Limits.reasonBytes)
    }

    /// The proposal that the path names; 404 when none can have this id.
    func proposal() throws(Problem) -> ProposalID {
        guard let id = ProposalID(rawValue: try path("proposalId")) else {
            throw .notFound("There is no such proposal.", field: "proposalId")
        }
        return id
    }

    /// The id of a proposal that this operator makes with this `Idempotency-Key`: the same for the same key.
    func proposal(_ kind: ProposalID.Kind, at shard: Shard) throws(Problem) -> ProposalID {
        let digest = SHA256.hash(data: Array("\(by.id)\n\(try idempotencyKey())".utf8))
        return ProposalID(kind, shard: shard, digest: digest)
    }

    /// Counts an act about amounts, and refuses more than an operator may do on a day.
    func count(_ act: String, _ partitions: Partitions) async throws {
        let count = OperatorCountV1(operatorId: by.id, actId: act, limit: Limits.operatorActsADay)
        _ = try await partitions.ask(count)
    }
}
