import Contracts
import HTTPTypes
import Hummingbird

/// A refusal of the App Store Server API: an HTTP status with Apple's `errorCode` and `errorMessage`.
struct APIError: Error, Equatable {
    let status: HTTPResponse.Status
    let code: Int
    let message: String

    /// Apple's codes begin with the HTTP status, unless a test wants another one.
    init(_ code: Int, _ message: String, status: Int? = nil) {
        self.status = .init(code: status ?? code / 10_000)
        self.code = code
        self.message = message
    }

    static let generalBadRequest = APIError(4_000_000, "Bad request.")
    static let invalidRequestRevision = APIError(4_000_005, "Invalid request revision.")
    static let invalidTransactionId = APIError(4_000_006, "Invalid transaction id.")
    static let invalidOriginalTransactionId = APIError(4_000_008, "Invalid original transaction id.")
    static let invalidExtendByDays = APIError(4_000_009, "Invalid extend by days value.")
    static let invalidExtendReasonCode = APIError(4_000_010, "Invalid extend reason code.")
    static let invalidRequestIdentifier = APIError(4_000_011, "Invalid request identifier.")
    static let startDateTooFarInPast = APIError(4_000_012, "Start date is too far in the past.")
    static let startDateAfterEndDate = APIError(4_000_013, "Start date is after the end date.")
    static let invalidPaginationToken = APIError(4_000_014, "Invalid pagination token.")
    static let invalidStartDate = APIError(4_000_015, "Invalid start date.")
    static let invalidEndDate = APIError(4_000_016, "Invalid end date.")
    static let invalidNotificationType = APIError(4_000_018, "Invalid notification type or subtype.")
    static let multipleFiltersSupplied = APIError(4_000_019, "Supply one filter only.")
    static let invalidTestNotificationToken = APIError(4_000_020, "Invalid test notification token.")
    static let invalidSort = APIError(4_000_021, "Invalid sort.")
    static let invalidProductType = APIError(4_000_022, "Invalid product type.")
    static let invalidProductId = APIError(4_000_023, "Invalid product id.")
    static let invalidOwnershipType = APIError(4_000_026, "Invalid in-app ownership type.")
    static let invalidRevoked = APIError(4_000_030, "Invalid revoked parameter.")
    static let invalidStatus = APIError(4_000_031, "Invalid status.")
    static let invalidCustomerConsented = APIError(4_000_035, "The customer must have consented.")
    static let invalidDeliveryStatus = APIError(4_000_036, "Invalid delivery status.")
    static let invalidSampleContent = APIError(4_000_041, "Invalid sample content provided.")
    static let invalidRefundPreference = APIError(4_000_044, "Invalid refund preference.")
    static let invalidAppAccountTokenUUID = APIError(4_000_183, "The app account token is no UUID.")
    static let familyTransactionNotSupported = APIError(4_000_185, "Family transactions are not supported.")
    static let notOriginalTransactionId = APIError(4_000_187, "It is no original transaction id.")
    static let consumptionPercentage = APIError(4_000_209, "Not for auto-renewable subscriptions.")
    static let assignedNotSupported = APIError(4_000_227, "Assigned transactions are not supported.")

    static let extensionIneligible = APIError(4_030_004, "Not eligible for an extension.")
    static let maximumExtensions = APIError(4_030_005, "The most extensions are used up.")
    static let familyExtensionIneligible =
        APIError(4_030_007, "Shared subscriptions are not eligible for an extension.")
    static let assignedExtensionIneligible =
        APIError(4_030_028, "Assigned subscriptions are not eligible for an extension.")

    static let originalTransactionIdNotFound = APIError(4_040_005, "Original transaction id not found.")
    static let notificationURLNotFound = APIError(4_040_007, "No server notification URL found.")
    static let testNotificationNotFound = APIError(4_040_008, "Test notification not found.")
    static let transactionIdNotFound = APIError(4_040_010, "Transaction id not found.")

    static let rateLimitExceeded = APIError(4_290_000, "Rate limit exceeded.")

    func answer() throws -> Response {
        try .json(
            ["errorCode": .integer(Int64(code)), "errorMessage": JSONValue.string(message)],
            status: status
        )
    }
}
