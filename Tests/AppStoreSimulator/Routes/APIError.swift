import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A refusal of the App Store Server API: an HTTP status with Apple's `errorCode` and `errorMessage`.
struct APIError: Error, Equatable {
    let status: HTTPResponse.Status
    let code: Int
    let message: String

    init(_ status: HTTPResponse.Status, _ code: Int, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    private static func badRequest(_ code: Int, _ message: String) -> APIError {
        APIError(.badRequest, code, message)
    }

    private static func notFound(_ code: Int, _ message: String) -> APIError {
        APIError(.notFound, code, message)
    }

    static let generalBadRequest = badRequest(4_000_000, "Bad request.")
    static let invalidRequestRevision = badRequest(4_000_005, "Invalid request revision.")
    static let invalidTransactionId = badRequest(4_000_006, "Invalid transaction id.")
    static let invalidOriginalTransactionId = badRequest(4_000_008, "Invalid original transaction id.")
    static let invalidExtendByDays = badRequest(4_000_009, "Invalid extend by days value.")
    static let invalidExtendReasonCode = badRequest(4_000_010, "Invalid extend reason code.")
    static let invalidRequestIdentifier = badRequest(4_000_011, "Invalid request identifier.")
    static let startDateTooFarInPast = badRequest(4_000_012, "Start date is too far in the past.")
    static let startDateAfterEndDate = badRequest(4_000_013, "Start date is after the end date.")
    static let invalidPaginationToken = badRequest(4_000_014, "Invalid pagination token.")
    static let invalidStartDate = badRequest(4_000_015, "Invalid start date.")
    static let invalidEndDate = badRequest(4_000_016, "Invalid end date.")
    static let invalidNotificationType = badRequest(4_000_018, "Invalid notification type or subtype.")
    static let multipleFiltersSupplied = badRequest(4_000_019, "Supply one filter only.")
    static let invalidTestNotificationToken = badRequest(4_000_020, "Invalid test notification token.")
    static let invalidSort = badRequest(4_000_021, "Invalid sort.")
    static let invalidProductType = badRequest(4_000_022, "Invalid product type.")
    static let invalidProductId = badRequest(4_000_023, "Invalid product id.")
    static let invalidOwnershipType = badRequest(4_000_026, "Invalid in-app ownership type.")
    static let invalidRevoked = badRequest(4_000_030, "Invalid revoked parameter.")
    static let invalidStatus = badRequest(4_000_031, "Invalid status.")
    static let invalidCustomerConsented = badRequest(4_000_035, "The customer must have consented.")
    static let invalidDeliveryStatus = badRequest(4_000_036, "Invalid delivery status.")
    static let invalidSampleContent = badRequest(4_000_041, "Invalid sample content provided.")
    static let invalidRefundPreference = badRequest(4_000_044, "Invalid refund preference.")
    static let invalidAppAccountTokenUUID = badRequest(4_000_183, "The app account token is no UUID.")
    static let familyTransactionNotSupported = badRequest(4_000_185, "Family transactions are not supported.")
    static let notOriginalTransactionId = badRequest(4_000_187, "It is no original transaction id.")
    static let consumptionPercentage = badRequest(4_000_209, "Not for auto-renewable subscriptions.")

    static let extensionIneligible = APIError(.forbidden, 4_030_004, "Not eligible for an extension.")
    static let maximumExtensions = APIError(.forbidden, 4_030_005, "The most extensions are used up.")
    static let familyExtensionIneligible =
        APIError(.forbidden, 4_030_007, "Shared subscriptions are not eligible for an extension.")

    static let originalTransactionIdNotFound = notFound(4_040_005, "Original transaction id not found.")
    static let notificationURLNotFound = notFound(4_040_007, "No server notification URL found.")
    static let testNotificationNotFound = notFound(4_040_008, "Test notification not found.")
    static let transactionIdNotFound = notFound(4_040_010, "Transaction id not found.")

    static let rateLimitExceeded = APIError(.tooManyRequests, 4_290_000, "Rate limit exceeded.")

    func answer() throws -> Response {
        try .json(
            ["errorCode": .integer(Int64(code)), "errorMessage": JSONValue.string(message)],
            status: status
        )
    }
}
