package import Contracts
import Crypto

/// An app receipt as the simulated App Store writes it, before anybody signs it.
package struct SimulatedReceipt: Sendable {
    package var bundleId: String
    package var applicationVersion = "1.0"
    package var originalApplicationVersion = "1.0"
    /// `Production`, `ProductionSandbox`, or `Xcode`.
    package var receiptType = "Production"
    package var creationDate: Timestamp
    package var purchases: [SignedTransaction]
    /// The raw bytes of the device's id, by which attribute 5 is made.
    package var deviceID: [UInt8] = Array(repeating: 0x5D, count: 16)
    /// Attribute 4.
    package var opaqueValue: [UInt8] = Array(0x10..<0x20)
    package var expirationDate: Timestamp?
    /// Fields that nobody knows, by number, with their value in BER.
    package var otherFields: [(type: Int, value: [UInt8])] = []

    /// A receipt of the production environment; change what should be otherwise.
    package init(bundleId: String, creationDate: Timestamp, purchases: [SignedTransaction] = []) {
        self.bundleId = bundleId
        self.creationDate = creationDate
        self.purchases = purchases
    }

    /// What is signed: the set of fields.
    package var content: [UInt8] {
        let bundle = BER.utf8String(bundleId)
        let hash = Insecure.SHA1.hash(data: deviceID + opaqueValue + bundle)
        let fields: [(type: Int, value: [UInt8])] = [
            (8, Self.date(nil)), (20, BER.utf8String("")), (1, BER.integer(0)),
            (3, BER.utf8String(applicationVersion)), (11, BER.integer(0)), (15, BER.integer(0)),
            (16, BER.integer(0)), (25, BER.integer(3)), (10, BER.ia5String("4+")), (14, BER.integer(229)),
            (13, BER.integer(180_602)), (19, BER.utf8String(originalApplicationVersion)),
            (9, BER.integer(1_345_335_349)), (4, opaqueValue), (0, BER.utf8String(receiptType)),
            (5, Array(hash)), (2, bundle), (12, Self.date(creationDate.milliseconds)),
            (18, Self.date(1_375_340_400_000)), (7, Self.noise(54)), (6, Self.noise(67)),
            (21, Self.date(expirationDate?.milliseconds)),
        ]
        let rows = purchases.map { (type: 17, value: Self.row($0)) }
        return Self.set(fields + otherFields + rows)
    }

    private static func row(_ purchase: SignedTransaction) -> [UInt8] {
        let opaque = [1709, 1714, 1715, 1716, 1717, 1718].map { (type: $0, value: BER.utf8String("")) }
        var fields =
            opaque + [
                (1712, date(purchase.revocationDate)), (1701, BER.integer(Int64(purchase.quantity))),
                (1710, BER.integer(0)), (1713, flag(purchase.offerDiscountType == "FREE_TRIAL")),
                (1719, flag(purchase.offerType == 1)), (1722, BER.integer(0)),
                (1711, BER.integer(Int64(purchase.webOrderLineItemId ?? "") ?? 0)),
                (1703, BER.utf8String(purchase.transactionId)),
                (1705, BER.utf8String(purchase.originalTransactionId)),
                (1704, date(purchase.purchaseDate)),
                (1706, date(purchase.originalPurchaseDate ?? purchase.purchaseDate)),
                (1708, date(purchase.expiresDate)), (1702, BER.utf8String(purchase.productId)),
            ]
        if let type = productTypes[purchase.type] { fields.append((1707, BER.integer(type))) }
        if purchase.offerType == 2, let offer = purchase.offerIdentifier {
            fields.append((1721, BER.utf8String(offer)))
        }
        return set(fields)
    }

    /// As Apple numbers them in attribute 1707; any other type is left out.
    private static let productTypes: [String: Int64] = [
        "Non-Consumable": 0, "Consumable": 1, "Non-Renewing Subscription": 2,
        "Auto-Renewable Subscription": 3,
    ]

    private static func set(_ fields: [(type: Int, value: [UInt8])]) -> [UInt8] {
        BER.set(
            fields.map {
                BER.sequence(BER.integer(Int64($0.type)), BER.integer(1), BER.octetString($0.value))
            }
        )
    }

    private static func flag(_ flag: Bool) -> [UInt8] { BER.integer(flag ? 1 : 0) }

    /// RFC 3339 without fractions; an absent date is an empty text.
    private static func date(_ milliseconds: Int64?) -> [UInt8] {
        guard let milliseconds else { return BER.ia5String("") }
        return BER.ia5String(String(Timestamp(milliseconds: milliseconds).rfc3339.prefix(19)) + "Z")
    }

    /// Of the weight of Apple's opaque fields.
    private static func noise(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 * 37 & 0xFF) } }
}
