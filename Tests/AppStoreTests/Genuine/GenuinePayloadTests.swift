import Contracts
import Foundation
import TestKit
import Testing

@testable import AppStore

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `payloads of Apple's making` {
    @Test func `of Apple's examples lose nothing on the way through`() throws {
        for name in ["signedTransaction", "signedTransactionWithRevocation"] {
            let transaction = try Vectors.model(name)
            #expect(try roundTrip(transaction, SignedTransaction.self) == value(transaction))
        }
        let renewal = try Vectors.model("signedRenewalInfo")
        #expect(try roundTrip(renewal, RenewalInfoPayload.self) == value(renewal))
        let app = try Vectors.model("appTransaction")
        #expect(try roundTrip(app, AppTransactionPayload.self) == value(app))
        for name in [
            "signedNotification", "signedConsumptionRequestNotification", "signedSummaryNotification",
            "signedExternalPurchaseTokenNotification", "signedExternalPurchaseTokenSandboxNotification",
            "signedRescindConsentNotification",
        ] {
            let model = try Vectors.model(name)
            #expect(try roundTrip(model, ServerNotificationPayload.self) == value(model), "\(name)")
        }
    }
}

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `transactions' payloads of Apple's and others' making` {
    @Test func `with a refund says how much of it`() throws {
        let transaction = try JSONDecoder()
            .decode(SignedTransaction.self, from: Vectors.model("signedTransactionWithRevocation"))
        #expect(transaction.revocationType == "REFUND_PRORATED")
        #expect(transaction.revocationPercentage == 50_000)
        #expect(transaction.revocationDate == 1_698_148_950_000)
        #expect(transaction.revocationReason == 1)
    }

    @Test func `of Xcode has its fractions of a millisecond cut off`() throws {
        let jws = try Vectors.bytes("apple-mock/xcode/xcode-signed-transaction")
        let payload = try CompactJWS(jws, maximumBytes: CompactJWS.maximumBytes).payload
        let transaction = try JSONDecoder().decode(SignedTransaction.self, from: Data(payload))
        #expect(transaction.purchaseDate == 1_697_679_936_049)
        #expect(transaction.signedDate == 1_697_679_936_056)
        #expect(transaction.expiresDate == 1_700_358_336_049)
        #expect(transaction.environment == "Xcode")
    }
}

extension Vectors {
    /// One of Apple's examples of JSON.
    static func model(_ name: String) throws -> Data { Data(try bytes("apple-mock/models/\(name).json")) }
}
