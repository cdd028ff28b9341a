package import Contracts

/// What a statement of Apple's does not say is not known to be absent.
///
/// | it states            | signed transaction, Server API, notification | app receipt |
/// |----------------------|----------------------------------------------|-------------|
/// | `inAppOwnershipType` | always                                       | never       |
/// | `appAccountToken`    | if the app gave one                          | never       |
/// | price, storefront, reason, subscription group, seats | as far as it has them | never |
///
/// Source: the fields of receipts (Receipt Fields) and of JWSTransactionDecodedPayload. `verifyReceipt` states the
/// ownership as well.
extension SignedTransaction {
    /// Whether it states whose it is, so that a token that it does not state is absent.
    package var isWhole: Bool { inAppOwnershipType != nil }

    /// This statement, with what it cannot say from another one about the same purchase, and with its token, which
    /// stays.
    package func completed(by other: SignedTransaction) -> SignedTransaction {
        var whole = self
        whole.appAccountToken = appAccountToken ?? other.appAccountToken
        guard !isWhole, other.isWhole else { return whole }
        whole.inAppOwnershipType = other.inAppOwnershipType
        whole.webOrderLineItemId = lineItem ?? other.lineItem
        whole.originalPurchaseDate = originalPurchaseDate ?? other.originalPurchaseDate
        whole.transactionReason = transactionReason ?? other.transactionReason
        whole.additionalTransactionReason = additionalTransactionReason ?? other.additionalTransactionReason
        whole.multiSeatInfo = multiSeatInfo ?? other.multiSeatInfo
        whole.subscriptionGroupIdentifier = subscriptionGroupIdentifier ?? other.subscriptionGroupIdentifier
        whole.type = type.isEmpty ? other.type : type
        whole.price = price ?? other.price
        whole.currency = currency ?? other.currency
        whole.storefront = storefront ?? other.storefront
        whole.storefrontId = storefrontId ?? other.storefrontId
        whole.appTransactionId = appTransactionId ?? other.appTransactionId
        whole.billingPlanType = billingPlanType ?? other.billingPlanType
        whole.commitmentInfo = commitmentInfo ?? other.commitmentInfo
        whole.previousOriginalTransactionId =
            previousOriginalTransactionId ?? other.previousOriginalTransactionId
        return whole
    }
}

extension TransactionFacts {
    /// As `SignedTransaction.isWhole`.
    package var isWhole: Bool { inAppOwnershipType != nil }
}
