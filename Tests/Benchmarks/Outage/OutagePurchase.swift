import TestKit

/// The kinds of proofs that an outage strikes differently.
enum OutageKind: String, CaseIterable, Sendable {
    /// Signed by Apple: nobody has to be asked.
    case signedTransaction
    /// Of iOS 6, for an app that can ask nothing but `verifyReceipt`.
    case verifyReceipt
    /// Of iOS 6, for an app with a key to the App Store Server API.
    case serverAPI

    /// The gateway as the app uses it whose purchases are of this kind.
    func gateway(of group: AppStoreGroup) -> GatewayClient {
        self == .serverAPI ? group.gatewayWithKey : group.gateway
    }

    /// The name of the proof in a submission.
    var member: String { self == .signedTransaction ? "signedTransaction" : "transactionReceipt" }
}

/// One purchase, as its phone holds it.
struct OutagePurchase: Sendable {
    let kind: OutageKind
    let buyer: String
    let transactionId: String
    let proof: String
}
