/// Which of the things that wait for an operator are meant; what is nil is left open.
package struct RetryScope: Codable, Hashable, Sendable {
    package var productId: ProductID?
    package var buyerId: BuyerID?
    package var receiptId: ReceiptID?

    package init(productId: ProductID? = nil, buyerId: BuyerID? = nil, receiptId: ReceiptID? = nil) {
        self.productId = productId
        self.buyerId = buyerId
        self.receiptId = receiptId
    }

    /// Whether something is meant that is about these products, and about this buyer and receipt where it has them.
    package func covers(products: [ProductID], buyer: BuyerID? = nil, receipt: ReceiptID? = nil) -> Bool {
        (productId.map(products.contains) ?? true) && (buyerId == nil || buyerId == buyer)
            && (receiptId == nil || receiptId == receipt)
    }
}
