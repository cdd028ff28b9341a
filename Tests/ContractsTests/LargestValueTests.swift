import Contracts
import Domain
import Foundation
import Testing

/// What a door has accepted, no later door refuses: a value is limited where it comes in, and every message that
/// carries it has room for it.
@Suite struct `The largest and deepest legal value` {
    @Test(arguments: GoldenFile.all)
    func `Comes back from every message that carries it, whoever reads and writes it`(file: GoldenFile) throws
    {
        let largest = try LargestValue.message(file)
        let text = Data(try EventCoder.encoder().encode(largest))
        #expect(try Self.value(file.roundTrip(text)) == largest)
        #expect(try Self.value(file.generalWrite(text)) == largest)
        for written in try [file.plainRoundTrip(text), file.directRead(text), file.directWrite(text)] {
            if let written { #expect(try Self.value(written) == largest) }
        }
    }

    @Test(arguments: GoldenFile.all)
    func `Fits into every message that carries it, and that into a dead letter`(file: GoldenFile) throws {
        let largest = try LargestValue.message(file)
        let bytes = try EventCoder.encoder().encode(largest)
        #expect(bytes.count <= file.maximumBytes)
        guard file.isSent else { return }
        let letter = DeadLetter(
            letterId: "1",
            type: file.name,
            subject: "-",
            eventId: "e-1",
            reason: "largest",
            time: Timestamp(milliseconds: 0),
            event: String(decoding: bytes, as: UTF8.self)
        )
        let reply = try EventCoder.encoder().encode(letter)
        #expect(reply.count <= Limits.requestBytes)
        #expect(try EventDecoder().decode(DeadLetter.self, from: reply) == letter)
    }

    private static func value(_ text: Data) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: text)
    }
}

/// A golden file's message, each member as large and deep as its door lets it be.
private enum LargestValue {
    /// Bytes of text that may be any, and so be of quotes, which JSON doubles.
    private static let texts = [
        "buyerId": 128, "buyerIds": 128, "submitter": 128, "payerId": 128, "toBuyerId": 128,
        "purchasedBy": 128, "step.code": 256, "step.domain": 256, "entries.code": 256, "entries.domain": 256,
        "productId": 255, "autoRenewProductId": 255, "entitlement": 128, "reference": 128,
        "idempotencyKey": 255, "currency": 255, "storefront": 255, "revocationType": 255,
        "inAppOwnershipType": 255, "appAccountToken": 255, "transactionReason": 255,
        "additionalTransactionReason": 255, "webOrderLineItemId": 255,
        "subscriptionGroupIdentifier": 255, "offerIdentifier": 255, "offerDiscountType": 255,
        "billingPlanType": 255,
        "submission.orderId": 256, "transaction.type": 255, "entries.from": 261, "entries.to": 261,
        "error.domain": 128, "error.code": 64, "webhooks.body": 64 << 10,
    ]
    /// Bytes of letters, digits and hyphens.
    private static let tokens = [
        "bundleId": 155, "transactionId": 64, "originalTransactionId": 64, "aliases": 64,
        "previousId": 64, "askedId": 64,
        "serverNotification.signedPayload": 32 << 10,
        "counterfoil.servernotification.recovered.v1.signedPayload": 60 << 10,
    ]
    /// Most elements.
    private static let elements = [
        "counterfoil.entitlement.changed.v1.entries": 8, "counterfoil.receipt.accepted.v1.transactions": 100,
        "counterfoil.transaction.verified.v1.aliases": TransactionVerifiedV1.maximumAliases,
        "counterfoil.evidence.completed.v1.aliases": TransactionVerifiedV1.maximumAliases,
        "counterfoil.transaction.found.v1.aliases": TransactionVerifiedV1.maximumAliases,
        "counterfoil.previouschain.asked.v1.aliases": TransactionVerifiedV1.maximumAliases,
        "counterfoil.consent.rescinded.v1.buyerIds": 100, "LedgerV1.entries": 1_000, "OrdersV1.orders": 100,
        "WebhooksPage.webhooks": 32,
    ]
    /// Levels of what Apple signs as any JSON, and bytes: those of a JWS of 128 KiB without the usual members.
    private static let (signedLevels, signedBytes) = (32, 92 << 10)

    static func message(_ file: GoldenFile) throws -> JSONValue {
        let message = try JSONDecoder().decode(JSONValue.self, from: file.contents())
        guard case .object(var event) = message, event["specversion"] != nil, let data = event["data"] else {
            return largest(message, "", "", file.name)
        }
        event["subject"] = .string(String(repeating: "a", count: 156) + String(repeating: "\"", count: 128))
        event["data"] = largest(data, "", "", file.name)
        return .object(event)
    }

    /// `name` and `parent` are those of the members in which the value is.
    private static func largest(
        _ value: JSONValue,
        _ name: String,
        _ parent: String,
        _ file: String
    ) -> JSONValue {
        switch value {
        case .object where name == "metadata": return metadata
        case .object where name == "commitmentInfo" || name == "multiSeatInfo":
            return nested(signedLevels, .integer(1))
        case .object where name == "advancedCommerceInfo":
            return nested(signedLevels, .string(String(repeating: "\"", count: signedBytes / 2)))
        case .object(let members):
            return .object(
                members.reduce(into: [:]) { $0[$1.key] = largest($1.value, $1.key, name, file) }
            )
        case .array(let values):
            let values = values.map { largest($0, name, parent, file) }
            guard let count = elements["\(file).\(name)"], let first = values.first else {
                return .array(values)
            }
            return .array(Array(repeating: first, count: count))
        case .string:
            if let count = texts["\(parent).\(name)"] ?? texts[name] {
                return .string(String(repeating: "\"", count: count))
            }
            let count = tokens["\(parent).\(name)"] ?? tokens["\(file).\(name)"] ?? tokens[name]
            return count.map { .string(String(repeating: "a", count: $0)) } ?? value
        case .null, .bool, .integer, .number: return value
        }
    }

    /// Of as many levels, and nearly as many bytes, as are accepted.
    private static let metadata: JSONValue = {
        func metadata(_ quotes: Int) -> JSONValue {
            nested(Limits.metadataLevels, .string(String(repeating: "\"", count: quotes)))
        }
        let bytes = EventEncoder().direct(metadata(0))?.count ?? 0
        return metadata((Limits.metadataBytes - bytes) / 2)
    }()

    private static func nested(_ levels: Int, _ innermost: JSONValue) -> JSONValue {
        (0..<levels).reduce(innermost) { inner, level in
            level.isMultiple(of: 2) ? .array([inner]) : .object(["a": inner])
        }
    }
}
