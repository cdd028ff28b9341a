import AppStore
import AppStoreSigning
import ArgumentParser
import Contracts

/// `counterfoil-bench server-notification`: how many notifications of subscriptions one core verifies, the notification
/// and both signed items in it, with a chain of Apple's shape.
struct ServerNotification: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server-notification",
        abstract: "Verifies notifications of subscriptions with an Apple-shaped chain on one core."
    )

    private static let notifications = 128
    private static let bundleID = "com.example.game"
    private static let now = Timestamp(milliseconds: 1_767_225_600_000)

    @Option(help: "How long to measure.")
    var seconds: Double = 3

    func run() throws {
        let signer = try AppStoreSigner()
        let proofs = try (0..<Self.notifications).map { try Self.renewal(number: $0, signedBy: signer) }
        let rates = try VerificationRate(of: proofs, seconds: seconds) {
            ServerNotificationVerifier(extraRoots: [signer.rootDER])
        } verify: {
            _ = try $0.verify($1, now: Self.now)
        }
        try report(SignatureRates(rates, bytes: proofs[0].utf8.count, seconds: seconds / 2))
    }

    private static func renewal(number: Int, signedBy signer: AppStoreSigner) throws -> String {
        let transaction = try signer.sign(transaction: subscription())
        let renewalInfo = try signer.sign(payload: Array(renewalInfo.utf8))
        let notification = #"""
            {"notificationType":"DID_RENEW","subtype":"BILLING_RECOVERY",
            "notificationUUID":"002e14d5-51f5-4503-b5a8-\#(100_000_000_000 + number)","version":"2.0",
            "signedDate":1767225600000,"data":{"appAppleId":1234567890,"bundleId":"com.example.game",
            "bundleVersion":"42","environment":"Production","signedTransactionInfo":"\#(transaction)",
            "signedRenewalInfo":"\#(renewalInfo)","status":1}}
            """#
        return try signer.sign(payload: Array(notification.utf8))
    }

    private static let renewalInfo = #"""
        {"originalTransactionId":"100000000000000001","autoRenewProductId":"com.example.game.pro.monthly",
        "productId":"com.example.game.pro.monthly","autoRenewStatus":1,"renewalPrice":9990,"currency":"USD",
        "signedDate":1767225600000,"environment":"Production","recentSubscriptionStartDate":1767225600000,
        "renewalDate":1769817600000,"appTransactionId":"700000000000000001",
        "appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138"}
        """#

    private static func subscription() -> SignedTransaction {
        var purchase = SimulatedPurchase(bundleId: bundleID, productId: "com.example.game.pro.monthly")
        purchase.type = "Auto-Renewable Subscription"
        purchase.appAccountToken = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        var transaction = purchase.transaction(at: now)
        transaction.expiresDate = now.milliseconds + 2_592_000_000
        transaction.webOrderLineItemId = "200000000000001"
        transaction.subscriptionGroupIdentifier = "20000001"
        transaction.transactionReason = "RENEWAL"
        return transaction
    }
}
