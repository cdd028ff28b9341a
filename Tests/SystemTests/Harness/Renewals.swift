import AppStoreSigning
import Contracts
import Foundation
import TestKit
import Testing

/// One of Apple's notifications of a subscription: its kind, its period, and what is said of the renewal.
struct SubscriptionEvent: Sendable {
    var type: String
    var subtype: String?
    var period: SignedTransaction
    /// Members of `JWSRenewalInfoDecodedPayload`, but for those that follow from the period.
    var renewal: [String: JSONValue] = [:]

    init(_ type: String, _ period: SignedTransaction, renewal: [String: JSONValue] = [:]) {
        (self.type, self.period, self.renewal) = (type, period, renewal)
    }

    init(
        _ type: String,
        _ subtype: String,
        _ period: SignedTransaction,
        renewal: [String: JSONValue] = [:]
    ) {
        (self.type, self.subtype, self.period, self.renewal) = (type, subtype, period, renewal)
    }

    /// Apple's `status` beside what is signed, which decides nothing.
    var status: Int?

    /// As Apple sends it, every part signed.
    func signed(by signer: AppStoreSigner) throws -> String {
        let renewal = renewal.merging([
            "originalTransactionId": .string(period.originalTransactionId),
            "productId": .string(period.productId), "environment": .string(period.environment),
            "signedDate": .integer(period.signedDate),
        ]) { $1 }
        var data: [String: JSONValue] = [
            "environment": .string(period.environment), "bundleId": .string(period.bundleId),
            "signedTransactionInfo": .string(try signer.sign(transaction: period)),
            "signedRenewalInfo": .string(try signer.sign(payload: Self.bytes(renewal))),
        ]
        data["status"] = status.map { .integer(Int64($0)) }
        var payload: [String: JSONValue] = [
            "notificationType": .string(type), "notificationUUID": .string(UUID().uuidString.lowercased()),
            "version": .string("2.0"), "signedDate": .integer(period.signedDate), "data": .object(data),
        ]
        payload["subtype"] = subtype.map { .string($0) }
        return try signer.sign(payload: Self.bytes(payload))
    }

    private static func bytes(_ members: [String: JSONValue]) throws -> [UInt8] {
        Array(try JSONEncoder().encode(JSONValue.object(members)))
    }
}

extension TestGroup {
    /// Lets Apple send a notification of a subscription.
    func notify(_ event: SubscriptionEvent) async throws {
        let notification = try event.signed(by: home.signer)
        _ = try await gateway.retry(event.type) { try await gateway.notify(notification) }
    }

    /// A buyer's only subscription.
    func subscription(of buyer: String) async throws -> SubscriptionsV1.Subscription? {
        let reply = try await gateway.retry("subscriptions") {
            try await gateway.get("/v1/buyers/\(buyer)/subscriptions")
        }
        let subscriptions = try reply.json(SubscriptionsV1.self).subscriptions
        #expect(subscriptions.count <= 1, "one a chain")
        return subscriptions.first
    }
}
