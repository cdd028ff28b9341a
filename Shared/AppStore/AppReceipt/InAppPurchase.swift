package import Contracts

/// One in-app purchase, fields 1701 to 1722, by Apple's Receipt Validation Programming Guide; 1707, 1710,
/// 1713 and 1721 are known from genuine receipts.
package struct InAppPurchase: Hashable, Sendable {
    /// 1702.
    package var productId: String
    /// 1703: the key under which a payment is granted once.
    package var transactionId: String
    /// 1704.
    package var purchaseDate: Timestamp
    /// 1705; equal to `transactionId` on a first purchase, and where it is absent, as in Xcode's receipts.
    package var originalTransactionId: String
    /// 1701.
    package var quantity = 1
    /// 1706.
    package var originalPurchaseDate: Timestamp?
    /// 1707, such as 1: a consumable.
    package var productType: Int64?
    /// 1708, of a subscription.
    package var expiresDate: Timestamp?
    /// 1710: the product's number in the App Store.
    package var itemId: Int64?
    /// 1711.
    package var webOrderLineItemId: Int64?
    /// 1712: paid back, or upgraded away.
    package var cancellationDate: Timestamp?
    /// 1713.
    package var isTrialPeriod: Bool?
    /// 1719.
    package var isInIntroOfferPeriod: Bool?
    /// 1721.
    package var promotionalOfferId: String?
    package var otherAttributes: [ReceiptAttribute] = []

    init(productId: String, transactionId: String, purchaseDate: Timestamp) {
        self.productId = productId
        self.transactionId = transactionId
        self.purchaseDate = purchaseDate
        originalTransactionId = transactionId
    }
}

extension InAppPurchase {
    init(_ row: ArraySlice<UInt8>) throws(VerificationFailure) {
        var all: [ReceiptField] = []
        var reader = try ReceiptFields(row)
        while let field = try reader.next() { all.append(field) }
        func first(_ type: Int) -> ReceiptField? { all.first { $0.type == type } }
        guard let productId = try first(1702)?.textUnlessEmpty(),
            let transactionId = try first(1703)?.textUnlessEmpty(), let purchaseDate = try first(1704)?.date()
        else {
            throw VerificationFailure(.malformed, "a purchase without transaction id, product id or date")
        }
        self.init(productId: productId, transactionId: transactionId, purchaseDate: purchaseDate)
        for field in all { try decode(field) }
    }

    private mutating func decode(_ field: ReceiptField) throws(VerificationFailure) {
        switch field.type {
        case 1702, 1703, 1704: break
        case 1701: quantity = Int(try field.integer())
        case 1705: originalTransactionId = try field.textUnlessEmpty() ?? transactionId
        case 1706: originalPurchaseDate = try field.date()
        case 1707: productType = try field.integer()
        case 1708: expiresDate = try field.date()
        case 1710: itemId = try field.integer()
        case 1711: webOrderLineItemId = try field.integer()
        case 1712: cancellationDate = try field.date()
        case 1713: isTrialPeriod = try field.flag()
        case 1719: isInIntroOfferPeriod = try field.flag()
        case 1721: promotionalOfferId = try field.textUnlessEmpty()
        default: otherAttributes.append(field.attribute)
        }
    }
}
