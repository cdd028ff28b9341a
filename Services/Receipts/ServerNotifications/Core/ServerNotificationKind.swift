/// The event, by the type and subtype of an App Store Server Notification, version 2.
///
/// Source: Apple, App Store Server Notifications, `notificationType` and `subtype`.
enum ServerNotificationKind: String, CaseIterable, Sendable {
    case subscribed, resubscribed, renewed, recovered, purchased, offerRedeemed
    case upgraded, downgraded, downgradeChosen, changeCancelled
    case renewalEnabled, renewalDisabled, gracePeriodBegan, billingRetryBegan, gracePeriodEnded, expired
    case priceIncreaseAsked, priceIncreaseAccepted, restated
    case renewalExtended, extensionSummarized, extensionFailed
    case consumptionAsked, refunded, refundDeclined, refundReversed, revoked
    case consentRescinded, externalPurchase, test
    /// A type or subtype unknown to this program; its transaction is processed anyway.
    case unknown

    init(type: String, subtype: String?) {
        self = Self.table[type]?[subtype ?? ""] ?? .unknown
    }

    /// By type, then subtype; empty for none.
    private static let table: [String: [String: ServerNotificationKind]] = [
        "SUBSCRIBED": ["INITIAL_BUY": .subscribed, "RESUBSCRIBE": .resubscribed],
        "DID_RENEW": ["": .renewed, "BILLING_RECOVERY": .recovered],
        "ONE_TIME_CHARGE": ["": .purchased],
        "OFFER_REDEEMED": ["": .offerRedeemed, "UPGRADE": .upgraded, "DOWNGRADE": .downgraded],
        "DID_CHANGE_RENEWAL_PREF": [
            "UPGRADE": .upgraded, "DOWNGRADE": .downgradeChosen, "": .changeCancelled,
        ],
        "DID_CHANGE_RENEWAL_STATUS": [
            "AUTO_RENEW_ENABLED": .renewalEnabled, "AUTO_RENEW_DISABLED": .renewalDisabled,
        ],
        "DID_FAIL_TO_RENEW": ["GRACE_PERIOD": .gracePeriodBegan, "": .billingRetryBegan],
        "GRACE_PERIOD_EXPIRED": ["": .gracePeriodEnded],
        "EXPIRED": [
            "VOLUNTARY": .expired, "BILLING_RETRY": .expired, "PRICE_INCREASE": .expired,
            "PRODUCT_NOT_FOR_SALE": .expired, "": .expired,
        ],
        "PRICE_INCREASE": ["PENDING": .priceIncreaseAsked, "ACCEPTED": .priceIncreaseAccepted],
        "PRICE_CHANGE": ["": .restated, "PENDING": .restated, "ACCEPTED": .restated],
        "METADATA_UPDATE": ["": .restated],
        "MIGRATION": ["": .restated],
        "MIGRATE": ["": .restated],
        "RENEWAL_EXTENDED": ["": .renewalExtended],
        "RENEWAL_EXTENSION": ["SUMMARY": .extensionSummarized, "FAILURE": .extensionFailed],
        "CONSUMPTION_REQUEST": ["": .consumptionAsked],
        "REFUND": ["": .refunded, "SEATS": .refunded],
        "REFUND_DECLINED": ["": .refundDeclined],
        "REFUND_REVERSED": ["": .refundReversed],
        "REVOKE": ["": .revoked],
        "RESCIND_CONSENT": ["": .consentRescinded],
        "EXTERNAL_PURCHASE_TOKEN": [
            "UNREPORTED": .externalPurchase, "CREATED": .externalPurchase,
            "ACTIVE_TOKEN_REMINDER": .externalPurchase,
        ],
        "TEST": ["": .test],
    ]
}
