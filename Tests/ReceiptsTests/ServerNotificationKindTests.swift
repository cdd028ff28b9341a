import Testing

@testable import Receipts

@Suite struct `What happened` {
    /// Every type of Apple's, with every subtype that it comes with.
    static let words: [(type: String, subtype: String?, kind: ServerNotificationKind)] = [
        ("SUBSCRIBED", "INITIAL_BUY", .subscribed), ("SUBSCRIBED", "RESUBSCRIBE", .resubscribed),
        ("DID_RENEW", nil, .renewed), ("DID_RENEW", "BILLING_RECOVERY", .recovered),
        ("ONE_TIME_CHARGE", nil, .purchased),
        ("OFFER_REDEEMED", nil, .offerRedeemed), ("OFFER_REDEEMED", "UPGRADE", .upgraded),
        ("OFFER_REDEEMED", "DOWNGRADE", .downgraded),
        ("DID_CHANGE_RENEWAL_PREF", "UPGRADE", .upgraded),
        ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", .downgradeChosen),
        ("DID_CHANGE_RENEWAL_PREF", nil, .changeCancelled),
        ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", .renewalEnabled),
        ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", .renewalDisabled),
        ("DID_FAIL_TO_RENEW", "GRACE_PERIOD", .gracePeriodBegan),
        ("DID_FAIL_TO_RENEW", nil, .billingRetryBegan), ("GRACE_PERIOD_EXPIRED", nil, .gracePeriodEnded),
        ("EXPIRED", "VOLUNTARY", .expired), ("EXPIRED", "BILLING_RETRY", .expired),
        ("EXPIRED", "PRICE_INCREASE", .expired), ("EXPIRED", "PRODUCT_NOT_FOR_SALE", .expired),
        ("EXPIRED", nil, .expired),
        ("PRICE_INCREASE", "PENDING", .priceIncreaseAsked),
        ("PRICE_INCREASE", "ACCEPTED", .priceIncreaseAccepted),
        ("PRICE_CHANGE", nil, .restated), ("METADATA_UPDATE", nil, .restated), ("MIGRATION", nil, .restated),
        ("MIGRATE", nil, .restated),
        ("RENEWAL_EXTENDED", nil, .renewalExtended),
        ("RENEWAL_EXTENSION", "SUMMARY", .extensionSummarized),
        ("RENEWAL_EXTENSION", "FAILURE", .extensionFailed),
        ("CONSUMPTION_REQUEST", nil, .consumptionAsked),
        ("REFUND", nil, .refunded), ("REFUND", "SEATS", .refunded), ("REFUND_DECLINED", nil, .refundDeclined),
        ("REFUND_REVERSED", nil, .refundReversed), ("REVOKE", nil, .revoked),
        ("RESCIND_CONSENT", nil, .consentRescinded),
        ("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED", .externalPurchase),
        ("EXTERNAL_PURCHASE_TOKEN", "CREATED", .externalPurchase),
        ("EXTERNAL_PURCHASE_TOKEN", "ACTIVE_TOKEN_REMINDER", .externalPurchase),
        ("TEST", nil, .test),
    ]

    @Test(arguments: words)
    func `is told by type and subtype`(type: String, subtype: String?, kind: ServerNotificationKind) {
        #expect(ServerNotificationKind(type: type, subtype: subtype) == kind)
    }

    @Test func `has a word of Apple's for each of its kinds`() {
        let told = Set(Self.words.map(\.kind))
        #expect(told.union([.unknown]) == Set(ServerNotificationKind.allCases))
    }

    @Test(arguments: [
        ("NEXT_YEARS_TYPE", nil as String?), ("REFUND", "NEXT_YEARS_SUBTYPE"), ("SUBSCRIBED", nil), ("", ""),
        ("refund", nil),
    ])
    func `is unknown by any other words`(type: String, subtype: String?) {
        #expect(ServerNotificationKind(type: type, subtype: subtype) == .unknown)
    }
}
