import AppStore
import Testing

@Suite struct `an error code of the App Store Server API` {
    struct Row: Sendable, CustomStringConvertible {
        let number: Int64
        let name: String
        let advice: ServerAPIErrorCode.Advice

        var description: String { "\(number) \(name)" }
    }

    /// Apple's list, a line a code; retryable where Apple says so.
    static let rows = """
        4000000 generalBadRequest
        4000002 invalidAppIdentifier
        4000004 invalidLimit
        4000005 invalidRequestRevision
        4000006 invalidTransactionId
        4000008 invalidOriginalTransactionId
        4000009 invalidExtendByDays
        4000010 invalidExtendReasonCode
        4000011 invalidRequestIdentifier
        4000012 startDateTooFarInPast
        4000013 startDateAfterEndDate
        4000014 invalidPaginationToken
        4000015 invalidStartDate
        4000016 invalidEndDate
        4000017 paginationTokenExpired
        4000018 invalidNotificationType
        4000019 multipleFiltersSupplied
        4000020 invalidTestNotificationToken
        4000021 invalidSort
        4000022 invalidProductType
        4000023 invalidProductId
        4000024 invalidSubscriptionGroupIdentifier
        4000025 invalidExcludeRevoked
        4000026 invalidInAppOwnershipType
        4000027 invalidEmptyStorefrontCountryCodeList
        4000028 invalidStorefrontCountryCode
        4000030 invalidRevoked
        4000031 invalidStatus
        4000032 invalidAccountTenure
        4000033 invalidAppAccountToken
        4000034 invalidConsumptionStatus
        4000035 invalidCustomerConsented
        4000036 invalidDeliveryStatus
        4000037 invalidLifetimeDollarsPurchased
        4000038 invalidLifetimeDollarsRefunded
        4000039 invalidPlatform
        4000040 invalidPlayTime
        4000041 invalidSampleContentProvided
        4000042 invalidUserStatus
        4000043 invalidTransactionNotConsumable
        4000044 invalidRefundPreference
        4000047 invalidTransactionTypeNotSupported
        4000048 appTransactionIdNotSupported
        4000161 invalidImage
        4000162 headerTooLong
        4000163 bodyTooLong
        4000164 invalidLocale
        4000175 altTextTooLong
        4000183 invalidAppAccountTokenUUID
        4000185 familyTransactionNotSupported
        4000187 transactionIdIsNotOriginalTransactionId
        4000209 invalidConsumptionPercentageForAutoRenewable
        4000211 retentionMessaging
        4000212 retentionMessaging
        4000213 retentionMessaging
        4000214 retentionMessaging
        4000215 retentionMessaging
        4000216 retentionMessaging
        4000217 retentionMessaging
        4000218 retentionMessaging
        4000219 retentionMessaging
        4000224 retentionMessaging
        4000227 invalidAssignedTransactionNotSupported
        4030004 subscriptionExtensionIneligible
        4030005 subscriptionMaxExtension
        4030007 familySharedSubscriptionExtensionIneligible
        4030014 maximumNumberOfImagesReached
        4030015 retentionMessaging
        4030016 maximumNumberOfMessagesReached
        4030017 messageNotApproved
        4030018 imageNotApproved
        4030019 imageInUse
        4030026 retentionMessaging
        4030028 assignedSubscriptionExtensionIneligible
        4040001 accountNotFound notFound
        4040002 accountNotFoundRetryable retry
        4040003 appNotFound notFound
        4040004 appNotFoundRetryable retry
        4040005 originalTransactionIdNotFound notFound
        4040006 originalTransactionIdNotFoundRetryable retry
        4040007 serverNotificationUrlNotFound notFound
        4040008 testNotificationNotFound notFound
        4040009 statusRequestNotFound notFound
        4040010 transactionIdNotFound notFound
        4040014 imageNotFound notFound
        4040015 messageNotFound notFound
        4040018 retentionMessaging notFound
        4040019 appTransactionDoesNotExist notFound
        4040020 retentionMessaging notFound
        4040021 retentionMessaging notFound
        4040022 groupNotFound notFound
        4090000 imageAlreadyExists
        4090001 messageAlreadyExists
        4290000 rateLimitExceeded retry
        5000000 generalInternal retry
        5000001 generalInternalRetryable retry
        """
        .split(separator: "\n")
        .compactMap { line -> Row? in
            let words = line.split(separator: " ").map(String.init)
            guard let number = Int64(words[0]) else { return nil }
            let advice: ServerAPIErrorCode.Advice =
                switch words.dropFirst(2).first {
                case "retry": .retry
                case "notFound": .notFound
                default: .final
                }
            return Row(number: number, name: words[1], advice: advice)
        }

    @Test(arguments: rows) func `has Apple's name and says whether to ask again`(row: Row) {
        let code = ServerAPIErrorCode(rawValue: row.number)
        #expect(code.name == row.name)
        #expect(code.advice(status: Int(row.number / 10_000)) == row.advice)
        #expect(code.description == "\(row.number) \(row.name)")
    }

    @Test func `of this list stands in no other place but the table`() {
        #expect(Self.rows.count == 96)
        #expect(Set(Self.rows.map(\.number)).count == Self.rows.count)
    }

    @Test(arguments: [
        (400, ServerAPIErrorCode.Advice.final), (403, .final), (404, .final), (409, .final), (408, .retry),
        (429, .retry), (500, .retry), (503, .retry), (599, .retry),
    ])
    func `that nobody knows keeps its number and goes by the class of HTTP`(
        status: Int,
        advice: ServerAPIErrorCode.Advice
    ) {
        let code = ServerAPIErrorCode(rawValue: 9_990_000)
        #expect(code.name == nil)
        #expect(code.description == "9990000")
        #expect(code.advice(status: status) == advice)
    }

    @Test func `that nobody knows and that begins with 404 is a thing not found`() {
        #expect(ServerAPIErrorCode(rawValue: 4_049_999).advice(status: 404) == .notFound)
    }

    @Test func `that is final is asked again all the same when the server itself has failed`() {
        #expect(ServerAPIErrorCode(rawValue: 4_000_000).advice(status: 502) == .retry)
    }

    @Test func `sends the search to the other server only for an id that this one does not know`() {
        let codes = Self.rows.map { ServerAPIErrorCode(rawValue: $0.number) }
        #expect(codes.filter(\.asksForOtherServer).map(\.rawValue) == [4_040_005, 4_040_010])
    }
}
