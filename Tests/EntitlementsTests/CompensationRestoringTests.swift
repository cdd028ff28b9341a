import Contracts
import Testing

@testable import Entitlements

/// The table of `CompensationRestoring`, every state with every state.
@Suite struct `A kept compensation` {
    private typealias State = CompensationV1.State

    private static let known: [State?] = [nil] + State.allCases

    @Test(arguments: known, State.allCases)
    func `is given to a ledger that has lost it, and ends as it was kept`(
        known: CompensationV1.State?,
        kept: CompensationV1.State
    ) throws {
        let restoring = CompensationRestoring(of: known, keptAs: kept)
        switch known {
        case .reversed, .matched, .void: #expect(restoring == nil)
        case .proposed, .granted, nil:
            let restoring = try #require(restoring)
            #expect(restoring.isGiven == (known != .granted))
            #expect(restoring.ending == (kept == .reversed ? .takenBack : .matched))
        }
    }

    @Test(arguments: State.allCases)
    func `takes the place of a proposal, and of nothing else`(state: CompensationV1.State) {
        var content = `A compensation`.compensation().content
        content.state = state
        #expect(Compensation(content).givesWay == (state == .proposed))
    }

    @Test func `is given as it was granted, whatever it has come to`() {
        var content = `A compensation`.compensation().content
        (content.state, content.confirmedAt) = (.granted, `A compensation`.start)
        let granted = Compensation(content)
        (content.state, content.endedAt) = (.matched, `A compensation`.start)
        content.purchaseId = PurchaseID(unchecked: "1000")
        #expect(Compensation(content).asGranted == granted)
    }
}
