import AppStore
import Contracts
import Foundation
import TestKit
import Testing

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `payloads of Apple's making` {
    @Test func `of Apple's examples lose nothing on the way through`() throws {
        func model(_ name: String) throws -> Data {
            Data(try Vectors.bytes("apple-mock/models/\(name).json"))
        }
        for name in ["signedTransaction", "signedTransactionWithRevocation"] {
            #expect(try roundTrip(model(name), SignedTransaction.self) == value(model(name)))
        }
        let renewal = try model("signedRenewalInfo")
        #expect(try roundTrip(renewal, RenewalInfoPayload.self) == value(renewal))
        let app = try model("appTransaction")
        #expect(try roundTrip(app, AppTransactionPayload.self) == value(app))
        for name in [
            "signedNotification", "signedConsumptionRequestNotification", "signedSummaryNotification",
            "signedExternalPurchaseTokenNotification", "signedExternalPurchaseTokenSandboxNotification",
            "signedRescindConsentNotification",
        ] {
            #expect(
                try roundTrip(model(name), ServerNotificationPayload.self) == value(model(name)),
                "\(name)"
            )
        }
    }
}
