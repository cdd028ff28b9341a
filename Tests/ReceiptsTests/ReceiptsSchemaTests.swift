import Contracts
import Database
import TestKit
import Testing

@testable import Receipts

/// Stores keep the words with which they were made.
@Suite struct `The schema of receipts` {
    private static let text = ReceiptsSchema.schema.migrations.flatMap(\.statements).joined(separator: "\n")

    @Test(arguments: [
        isOneOf("held_by", HolderEvidence.allCases.map(\.rawValue)),
        isOneOf("transfer_cause", TransferCause.allCases.map(\.rawValue)),
        isOneOf("cause", TransferCause.allCases.map(\.rawValue)),
        isOneOf("state", ServerNotificationAssessment.State.allCases.map(\.rawValue)),
        isOneOf("renewal_check_stage", RenewalCheck.Due.Stage.allCases.map(\.rawValue)),
    ])
    func `takes every word that is written: for a new one a further Migration is needed`(check: String) {
        #expect(Self.text.contains(check), "stores do not take this: add a Migration")
    }

    @Test func `compares columns with the words that are written, and with no others`() {
        // Nobody has stored an `asking` submission; the question to Apple is stored instead.
        let submissions = SubmissionAssessment.State.allCases.filter { $0 != .asking }
        let claims = everyCase(Self.claim(after:)).filter { $0 != .unclaimed }
        let causes = words(of: TransferCause.self)
        let written: [String: Set<String>] = [
            "submission.state": Set(submissions.map(\.rawValue)),
            "claim.state": Set(claims.map(\.name)),
            "claim.evidence": Set(everyCase(Self.evidence(after:)).compactMap(\.name)),
            "claim.held_by": words(of: HolderEvidence.self),
            "claim.transfer_cause": causes,
            "claim.renewal_check_stage": words(of: RenewalCheck.Due.Stage.self),
            "transfer.cause": causes,
            "name_registration.state": Set(everyCase(Self.registration(after:)).map(\.name)),
            "previous_chain.state": Set(everyCase(Self.previousChain(after:)).compactMap(\.name)),
            "server_notification.state": words(of: ServerNotificationAssessment.State.self),
            "server_notification.kind": Set(
                [ServerNotificationKind.unknown, .consentRescinded].map(\.rawValue)
            ),
            "apple_query.api": words(of: AppleAPI.self),
        ]
        #expect(ReceiptsSchema.schema.words == written)
    }

    private static func claim(after last: Claim.State?) -> Claim.State? {
        switch last {
        case nil: .unclaimed
        case .unclaimed: .waiting
        case .waiting: .lookingUp([])
        case .lookingUp: .proposed(.caller(Sample.alice))
        case .proposed: .held(Claim.Holder(buyer: Sample.alice, order: Sample.order))
        case .held: .orphan
        case .orphan: nil
        }
    }

    private static func evidence(after last: AppleEvidence?) -> AppleEvidence? {
        let time = Timestamp(milliseconds: 1)
        return switch last {
        case nil: .notAsked
        case .notAsked: .awaited(until: time)
        case .awaited: .pressed(until: time)
        case .pressed: .overdue(askingAt: time)
        case .overdue: .complete
        case .complete: nil
        }
    }

    private static func registration(after last: NameRegistration.State?) -> NameRegistration.State? {
        let (chain, name) = (TransactionID(unchecked: "1"), PurchaseName.lineItem("2"))
        return switch last {
        case nil: .unregistered
        case .unregistered: .registering(name, rest: [])
        case .registering: .registered
        case .registered: .contested(by: chain, name)
        case .contested: .alias(of: chain, name)
        case .alias: nil
        }
    }

    private static func previousChain(after last: PreviousChain?) -> PreviousChain? {
        switch last {
        case nil: .unknown
        case .unknown: .asked
        case .asked: .told(nil)
        case .told: nil
        }
    }

    @Test func `has an index in the words of the query that needs it`() {
        let words = "WHERE \(ClaimStore.mayBeAwaited)"
        #expect(Self.text.contains(words), "no index serves this: add a Migration")
    }
}
