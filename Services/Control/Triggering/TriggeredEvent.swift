import ArgumentParser

/// What an App Store simulator can be told to do to a purchase.
enum TriggeredEvent: String, CaseIterable, ExpressibleByArgument, Sendable {
    // Of a purchase.
    case refund
    case reverseRefund = "reverse-refund"
    case declineRefund = "decline-refund"
    case revoke, consumption
    // Of a subscription.
    case renew
    case failToRenew = "fail-to-renew"
    case endGracePeriod = "end-grace-period"
    case recover, expire, resubscribe
    case disableAutoRenew = "disable-auto-renew"
    case enableAutoRenew = "enable-auto-renew"
    case upgrade, downgrade
    case cancelDowngrade = "cancel-downgrade"
    case acceptPrice = "accept-price"
    // Of an account.
    case rescindConsent = "rescind-consent"

    /// Its name in the simulator's `POST /_control/events`.
    var simulatorName: String {
        switch self {
        case .refund, .revoke, .renew, .recover, .expire, .resubscribe, .upgrade, .downgrade: rawValue
        case .reverseRefund: "reverseRefund"
        case .declineRefund: "declineRefund"
        case .consumption: "requestConsumption"
        case .failToRenew: "failToRenew"
        case .endGracePeriod: "endGracePeriod"
        case .disableAutoRenew: "disableAutoRenew"
        case .enableAutoRenew: "enableAutoRenew"
        case .cancelDowngrade: "cancelDowngrade"
        case .acceptPrice: "acceptPrice"
        case .rescindConsent: "rescindConsent"
        }
    }

    /// Whether it leads to another product, which has to be named.
    var needsProduct: Bool { self == .upgrade || self == .downgrade }
    /// Whether another product may be named.
    var takesProduct: Bool { needsProduct || self == .resubscribe }
}
