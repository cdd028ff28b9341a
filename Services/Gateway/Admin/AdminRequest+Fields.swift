import Contracts
import Crypto
import Delivery
import Domain
import HTTPTypes
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

    /// Whom the act is for, as the request log has it, too; 422 when the text names no buyer.
    func buyer(_ text: String) throws(Problem) -> BuyerID {
        let buyer = try Field.buyer(text)
        RequestNote.add { $0.buyerId = buyer.rawValue }
        return buyer
    }

    /// Why it is done, in the operator's own words.
    func reason(_ text: String) throws(Problem) -> String {
        guard OperatorReason.isValid(text) else { throw .unacceptable("reason", OperatorReason.rule) }
        return text
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

    /// Does what counts as an act about amounts, and refuses more than an operator may do on a day.
    ///
    /// What is refused counts nothing, nor what another request has done before: then `act` says that it is not this
    /// operator's. Nor does what was not begun, as the order of Apple's could not be reserved.
    func counted<Answer>(
        _ name: String,
        of proposal: ProposalID,
        _ partitions: Partitions,
        holding reservation: AppleOrderReservation? = nil,
        _ act: () async throws(Problem) -> (answer: Answer, isOwn: Bool)
    ) async throws(Problem) -> Answer {
        var count = OperatorCountV1(
            operatorId: by.id,
            actId: name,
            proposalId: proposal,
            limit: Limits.operatorActsADay,
            attempt: IdentifierSource.eventID()
        )
        let isNew = try await partitions.ask(count).isNew
        count.isReturned = true
        let wasFree: Bool?
        do throws(Problem) {
            wasFree = try await reservation?.reserve(in: partitions)
        } catch {
            if isNew { _ = try await partitions.ask(count) }
            throw error
        }
        do throws(Problem) {
            let done = try await act()
            await reservation?.free(in: partitions)
            if isNew, !done.isOwn { _ = try await partitions.ask(count) }
            return done.answer
        } catch {
            // Where nobody answers it may have been done, or may be done yet.
            guard error.status.kind == .clientError || error == .busy else { throw error }
            if wasFree == true { await reservation?.free(in: partitions) }
            if isNew { _ = try await partitions.ask(count) }
            throw error
        }
    }

    /// The same for a proposal, by whose key it is known: a key has one proposal, wherever that lies.
    func counted<Answer>(
        _ proposal: ProposalID,
        _ partitions: Partitions,
        holding reservation: AppleOrderReservation? = nil,
        _ act: () async throws(Problem) -> Answer
    ) async throws(Problem) -> Answer {
        let name = "propose \(proposal.digest)"
        return try await counted(name, of: proposal, partitions, holding: reservation) {
            () async throws(Problem) in
            (try await act(), true)
        }
    }
}
