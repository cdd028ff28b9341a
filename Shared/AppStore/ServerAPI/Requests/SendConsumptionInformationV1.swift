package import Contracts

/// The older form of `SendConsumptionInformation`, for consumables; its numbers are Apple's codes.
package struct SendConsumptionInformationV1: AppStoreServerRequest, Hashable {
    /// Only the status counts.
    package typealias Answer = NoAnswer
    package static let endpoint = Endpoint.consumptionV1

    /// What is told; 0 means undeclared everywhere but in `deliveryStatus`, where it means delivered.
    package struct Information: Encodable, Hashable, Sendable {
        package var customerConsented: Bool
        /// 1: not used, 2: in part, 3: wholly.
        package var consumptionStatus = 0
        /// 1: Apple's, 2: another.
        package var platform = 0
        package var sampleContentProvided: Bool
        /// 0: delivered, 1: not working, 2: wrong item, 3: server outage, 4: currency change, 5: other.
        package var deliveryStatus: Int
        /// Empty where there is none.
        package var appAccountToken = ""
        /// 1 to 7, from under 3 days to over a year.
        package var accountTenure = 0
        /// 1 to 7, from under 5 minutes to over 16 days.
        package var playTime = 0
        /// 1 to 7, from nothing to over 2,000 dollars.
        package var lifetimeDollarsRefunded = 0
        /// 1 to 7, from nothing to over 2,000 dollars.
        package var lifetimeDollarsPurchased = 0
        /// 1: active, 2: suspended, 3: terminated, 4: limited.
        package var userStatus = 0
        /// 1: grant, 2: decline, 3: no preference.
        package var refundPreference = 0

        package init(customerConsented: Bool, deliveryStatus: Int, sampleContentProvided: Bool) {
            self.customerConsented = customerConsented
            self.deliveryStatus = deliveryStatus
            self.sampleContentProvided = sampleContentProvided
        }
    }

    package var transactionId: TransactionID
    package var information: Information
    package var id: String { transactionId.rawValue }

    package init(_ information: Information, of transactionId: TransactionID) {
        self.transactionId = transactionId
        self.information = information
    }

    /// What is told.
    package func body() throws -> [UInt8]? { try RequestBody.json(information) }
}
