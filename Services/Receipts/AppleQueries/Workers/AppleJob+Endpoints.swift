import AppStore
import Contracts

extension AppleJob.Kind {
    /// Which of Apple's endpoints it asks.
    var endpoints: Set<Endpoint> {
        switch self {
        case .proof: AppleQuery.Kind.proof.endpoints
        case .evidence: AppleQuery.Kind.evidence.endpoints
        case .claimEvidence: AppleQuery.Kind.claim.endpoints
        case .history: AppleQuery.Kind.history.endpoints
        case .order: AppleQuery.Kind.order.endpoints
        case .renewalCheck: [.transactionHistory, .subscriptionStatuses]
        case .serverNotifications: [.notificationHistory]
        case .consumption: [.consumption]
        case .reconciliation(let lookup):
            switch lookup.step.subject {
            case .history: [.transactionHistory]
            case .serverNotifications: [.notificationHistory]
            case .order: [.orderLookUp]
            }
        }
    }
}

extension AppleQuery.Kind {
    /// Which of Apple's endpoints the App Store Server API asks for it.
    var endpoints: Set<Endpoint> {
        switch self {
        case .proof: [.transactionInfo, .transactionHistory]
        case .evidence: [.transactionHistory]
        case .claim: [.transactionInfo]
        case .history: [.transactionHistory, .subscriptionStatuses]
        case .order: [.orderLookUp]
        }
    }
}
