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

    static func text(_ fault: StoreKitFault) -> String {
        switch fault {
        case .original(.unknown), .general(.unknown):
            "The App Store reported an error. Please try again later."
        case .original(.clientInvalid):
            "This device may not make this purchase. Check the Apple Account that is signed in, then try again."
        case .original(.paymentCancelled), .general(.userCancelled):
            "The purchase was cancelled. You have not been charged."
        case .original(.paymentInvalid):
            "The App Store did not accept the purchase. Please update the app and try again."
        case .original(.paymentNotAllowed), .purchase(.purchaseNotAllowed):
            "Purchases are not allowed on this device. Check Screen Time and its restrictions in Settings."
        case .original(.storeProductNotAvailable):
            "This product is not available in the App Store of your country or region."
        case .original(.cloudServicePermissionDenied):
            "The app may not use your media library. You can allow it in Settings."
        case .original(.cloudServiceNetworkConnectionFailed), .general(.networkError):
            "There is no connection to the App Store. Check your network, then try again."
        case .original(.cloudServiceRevoked):
            "You have withdrawn the permission that this purchase needs. You can give it again in Settings."
        case .original(.privacyAcknowledgementRequired):
            "Please read and accept Apple’s privacy information in Settings, then try again."
        case .original(.unauthorizedRequestData):
            "The app may not make this purchase in this way. Please update the app and try again."
        case .original(.invalidOfferIdentifier), .purchase(.invalidOfferIdentifier):
            "This offer is no longer there. Please update the app, or buy without the offer."
        case .original(.invalidSignature), .purchase(.invalidOfferSignature):
            "The offer could not be confirmed. Please try again later."
        case .original(.missingOfferParams), .purchase(.missingOfferParameters):
            "Something is missing in the offer. Please update the app and try again."
        case .original(.invalidOfferPrice), .purchase(.invalidOfferPrice):
            "The price of this offer is no longer valid. Please try again later."
        case .original(.overlayCancelled): "The App Store’s page was closed."
        case .original(.overlayInvalidConfiguration):
            "The App Store’s page could not be shown. Please update the app and try again."
        case .original(.overlayTimeout): "The App Store did not answer in time. Please try again."
        case .original(.ineligibleForOffer), .purchase(.ineligibleForOffer):
            "This offer is not open to your Apple Account. You can buy without the offer."
        case .original(.unsupportedPlatform): "This is not possible on this device."
        case .original(.overlayPresentedInBackgroundScene): "Please open the app and try again."
        case .general(.systemError): "The system reported an error. Please try again later."
        case .general(.notAvailableInStorefront):
            "This is not available in the App Store of your country or region."
        case .general(.notEntitled):
            "The app may not make this purchase. Please update the app and try again."
        case .general(.unsupported):
            "This is not possible on this device. Please update its system and try again."
        case .purchase(.invalidQuantity): "This quantity cannot be bought. Please choose another one."
        case .purchase(.productUnavailable): "This product is not available at present."
        }
    }
}
