import Contracts

/// Texts for buyers in English.
enum English: BuyerTexts {
    static let paid = "The purchase has been paid. What you bought is yours, or comes in a moment."
    static let refunded = "The purchase was paid and has been refunded."

    static func text(_ outcome: OrderReportV1.Outcome) -> String {
        switch outcome {
        case .deferred:
            "The purchase waits for approval. You get what you bought as soon as it is approved."
        case .cancelled: "The purchase was cancelled. You have not been charged."
        case .failed: "The purchase did not succeed. Please try again later."
        }
    }

    static func text(_ code: StoreKitFault.Original) -> String {
        switch code {
        case .unknown: "The App Store reported an error. Please try again later."
        case .clientInvalid:
            "This device may not make this purchase. Check the Apple Account that is signed in, then try again."
        case .paymentCancelled: "The purchase was cancelled. You have not been charged."
        case .paymentInvalid:
            "The App Store did not accept the purchase. Please update the app and try again."
        case .paymentNotAllowed:
            "Purchases are not allowed on this device. Check Screen Time and its restrictions in Settings."
        case .storeProductNotAvailable:
            "This product is not available in the App Store of your country or region."
        case .cloudServicePermissionDenied:
            "The app may not use your media library. You can allow it in Settings."
        case .cloudServiceNetworkConnectionFailed:
            "There is no connection to the App Store. Check your network, then try again."
        case .cloudServiceRevoked:
            "You have withdrawn the permission that this purchase needs. You can give it again in Settings."
        case .privacyAcknowledgementRequired:
            "Please read and accept Apple’s privacy information in Settings, then try again."
        case .unauthorizedRequestData:
            "The app may not make this purchase in this way. Please update the app and try again."
        case .invalidOfferIdentifier:
            "This offer is no longer there. Please update the app, or buy without the offer."
        case .invalidSignature: "The offer could not be confirmed. Please try again later."
        case .missingOfferParams:
            "Something is missing in the offer. Please update the app and try again."
        case .invalidOfferPrice: "The price of this offer is no longer valid. Please try again later."
        case .overlayCancelled: "The App Store’s page was closed."
        case .overlayInvalidConfiguration:
            "The App Store’s page could not be shown. Please update the app and try again."
        case .overlayTimeout: "The App Store did not answer in time. Please try again."
        case .ineligibleForOffer:
            "This offer is not open to your Apple Account. You can buy without the offer."
        case .unsupportedPlatform: "This is not possible on this device."
        case .overlayPresentedInBackgroundScene: "Please open the app and try again."
        }
    }

    static func text(_ code: StoreKitFault.General) -> String {
        switch code {
        case .unknown: "The App Store reported an error. Please try again later."
        case .userCancelled: "The purchase was cancelled. You have not been charged."
        case .networkError:
            "There is no connection to the App Store. Check your network, then try again."
        case .systemError: "The system reported an error. Please try again later."
        case .notAvailableInStorefront:
            "This is not available in the App Store of your country or region."
        case .notEntitled: "The app may not make this purchase. Please update the app and try again."
        case .unsupported: "This is not possible on this device. Please update its system and try again."
        }
    }

    static func text(_ code: StoreKitFault.Purchase) -> String {
        switch code {
        case .invalidQuantity: "This quantity cannot be bought. Please choose another one."
        case .productUnavailable: "This product is not available at present."
        case .purchaseNotAllowed:
            "Purchases are not allowed on this device. Check Screen Time and its restrictions in Settings."
        case .ineligibleForOffer:
            "This offer is not open to your Apple Account. You can buy without the offer."
        case .invalidOfferIdentifier:
            "This offer is no longer there. Please update the app, or buy without the offer."
        case .invalidOfferPrice: "The price of this offer is no longer valid. Please try again later."
        case .invalidOfferSignature: "The offer could not be confirmed. Please try again later."
        case .missingOfferParameters:
            "Something is missing in the offer. Please update the app and try again."
        }
    }
}
