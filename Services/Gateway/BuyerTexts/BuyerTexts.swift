import Contracts

/// The texts for buyers in one language; each language is one file.
protocol BuyerTexts: SendableMetatype {
    /// The purchase has been paid after all.
    static var paid: String { get }
    /// The purchase was paid, and the money went back.
    static var refunded: String { get }

    /// The general text of an outcome.
    static func text(_ outcome: OrderReportV1.Outcome) -> String
    static func text(_ fault: StoreKitFault) -> String
}

extension BuyerTexts {
    /// What a buyer is told of a report on an order that is in `state`.
    ///
    /// Money that came tells more than the phone; an error of StoreKit tells more than the outcome, except that of a
    /// deferred payment, which is no error.
    static func message(
        _ outcome: OrderReportV1.Outcome,
        _ error: ReportedError?,
        of state: OrderV1.State
    ) -> String {
        switch state {
        case .paid, .granted, .parked: paid
        case .refunded: refunded
        case .issued, .deferred, .closed, .void:
            switch (outcome, StoreKitFault(error)) {
            case (.deferred, _), (_, nil): text(outcome)
            case (.cancelled, let fault?), (.failed, let fault?): text(fault)
            }
        }
    }
}
