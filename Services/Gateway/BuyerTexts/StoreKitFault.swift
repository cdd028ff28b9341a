import Contracts

/// What StoreKit says when it does not sell.
enum StoreKitFault: Hashable, Sendable {
    /// `SKError.Code` of the original API, by its numbers.
    enum Original: Int, CaseIterable, Sendable {
        case unknown, clientInvalid, paymentCancelled, paymentInvalid, paymentNotAllowed
        case storeProductNotAvailable, cloudServicePermissionDenied, cloudServiceNetworkConnectionFailed
        case cloudServiceRevoked, privacyAcknowledgementRequired, unauthorizedRequestData
        case invalidOfferIdentifier, invalidSignature, missingOfferParams, invalidOfferPrice
        case overlayCancelled, overlayInvalidConfiguration, overlayTimeout, ineligibleForOffer
        case unsupportedPlatform, overlayPresentedInBackgroundScene

        /// The code of a name or of a number.
        init?(_ text: String) {
            let named = Self.allCases.first { "\($0)" == text }
            guard let code = named ?? Int(text).flatMap(Self.init(rawValue:)) else { return nil }
            self = code
        }
    }

    /// `StoreKitError`, by the names of its cases.
    enum General: String, CaseIterable, Sendable {
        case unknown, userCancelled, networkError, systemError, notAvailableInStorefront, notEntitled,
            unsupported
    }

    /// `Product.PurchaseError`, by the names of its cases.
    enum Purchase: String, CaseIterable, Sendable {
        case invalidQuantity, productUnavailable, purchaseNotAllowed, ineligibleForOffer
        case invalidOfferIdentifier, invalidOfferPrice, invalidOfferSignature, missingOfferParameters
    }

    case original(Original)
    case general(General)
    case purchase(Purchase)

    static let all: [StoreKitFault] =
        Original.allCases.map(original) + General.allCases.map(general) + Purchase.allCases.map(purchase)

    /// The fault that a phone names; nil for one that is not known here.
    ///
    /// A domain may have its module in front, as `StoreKit.StoreKitError` has. A code is a number in `SKErrorDomain`
    /// only, else the name of a case; what a case carries, as in `networkError(…)`, is passed over.
    init?(_ error: ReportedError?) {
        guard let error, let code = error.code else { return nil }
        let name = String(code.prefix { $0 != "(" })
        let fault: StoreKitFault? =
            switch error.domain?.split(separator: ".").last {
            case "SKErrorDomain", "SKError": Original(name).map(Self.original)
            case "StoreKitError": General(rawValue: name).map(Self.general)
            case "PurchaseError": Purchase(rawValue: name).map(Self.purchase)
            case .some, nil: nil
            }
        guard let fault else { return nil }
        self = fault
    }
}
