/// Selects items that wait for the operator; a nil member matches all.
package struct RetryScope: Codable, Hashable, Sendable {
    package var productId: ProductID?
    package var buyerId: BuyerID?
    package var receiptId: ReceiptID?

    package init(productId: ProductID? = nil, buyerId: BuyerID? = nil, receiptId: ReceiptID? = nil) {
        self.productId = productId
        self.buyerId = buyerId
        self.receiptId = receiptId
    }

    /// Whether the scope matches an item with these products, this buyer and this receipt.
    package func covers(products: [ProductID], buyer: BuyerID? = nil, receipt: ReceiptID? = nil) -> Bool {
        (productId.map(products.contains) ?? true) && (buyerId == nil || buyerId == buyer)
            && (receiptId == nil || receiptId == receipt)
    }
}
