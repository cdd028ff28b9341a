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
        switch error.domain?.split(separator: ".").last {
        case "SKErrorDomain", "SKError": self.init(original: name)
        case "StoreKitError": self.init(general: name)
        case "PurchaseError": self.init(purchase: name)
        case .some, nil: return nil
        }
    }

    private init?(original name: String) {
        let named = Original.allCases.first { "\($0)" == name }
        guard let code = named ?? Int(name).flatMap(Original.init) else { return nil }
        self = .original(code)
    }

    private init?(general name: String) {
        guard let code = General(rawValue: name) else { return nil }
        self = .general(code)
    }

    private init?(purchase name: String) {
        guard let code = Purchase(rawValue: name) else { return nil }
        self = .purchase(code)
    }
}
