/// Selects items that wait for the operator; a nil member matches all.
package struct RetryScope: Codable, Hashable, Sendable {
    package var productId: ProductID? = nil
    package var buyerId: BuyerID? = nil
    package var receiptId: ReceiptID? = nil

    /// Whether the scope matches an item with these products, this buyer and this receipt.
    package func covers(products: [ProductID], buyer: BuyerID? = nil, receipt: ReceiptID? = nil) -> Bool {
        (productId.map(products.contains) ?? true) && (buyerId == nil || buyerId == buyer)
            && (receiptId == nil || receiptId == receipt)
    }
}
