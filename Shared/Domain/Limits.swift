/// Bounds that the gateway and the services share.
package enum Limits {
    /// How far Apple's clock and one of ours may be apart, where times of both are compared, ms.
    package static let clockToleranceMilliseconds: Int64 = 60_000
    package static let referenceBytes = 1...128
    /// Why an operator does something, for whoever reads the record.
    package static let reasonBytes = 1...500
    /// Proposals and confirmations of one operator on one day, UTC.
    package static let operatorActsADay = 50
    /// Transactions of one order of Apple's that a compensation names.
    package static let transactionsOfCompensation = 0...20
    /// Dead letters, delayed events or parked work that a partition lists, the oldest.
    package static let listedRows = 1_000
    package static let idempotencyKeyBytes = 1...255
    package static let environmentBytes = 1...64
    /// Unpaid orders (issued, deferred) of one buyer of an app beyond which a phone gets no further one.
    package static let unpaidOrdersOfPhone = 50
    /// Units of one order; StoreKit sells no more at once.
    package static let quantities = 1...10
    /// Of an error that a phone reports.
    package static let errorDomainBytes = 1...128
    package static let errorCodeBytes = 1...64
    /// Entries of an order's step log, and bytes of them all.
    package static let stepLogEntries = 64
    package static let stepLogBytes = 8 << 10
    /// Of the code and the domain of a step, in Unicode scalars.
    package static let stepTextCharacters = 256
    /// A phone's clock, ms since 1970: until the year 9999.
    package static let phoneMilliseconds: ClosedRange<Int64> = 0...253_402_300_799_999
    /// Of one request of a wallet.
    package static let walletAmounts = 1...Catalog.maximumAmount
    /// Of an app's version, as receipts state it.
    package static let versionBytes = 1...64
    /// Of an app's shared secret; Apple's have 32.
    package static let sharedSecretBytes = 1...128
    /// Orders of a page, so that all their metadata fits.
    package static let ordersOfPage = 1...100
    /// Lines of a page of a ledger.
    package static let linesOfPage = 1...1_000
    /// How long a phone may have a verdict waited for.
    package static let waitMilliseconds = 0...30_000
    /// A JWS but a notification; Apple's transactions have 5,000 to 5,400 bytes, with 250 items of Advanced Commerce
    /// over 100,000.
    package static let jwsBytes = 128 << 10
    /// A notification, a JWS that carries two more in base64.
    package static let serverNotificationBytes = 512 << 10
    /// An app receipt, decoded: 8 MiB of base64.
    package static let appReceiptBytes = 6 << 20
    /// Any proof as JSON text: 8 MiB of base64, with line breaks.
    package static let proofTextBytes = 9 << 20
    /// A message with a request: a proof, and what travels around it.
    package static let requestBytes = 12 << 20
    /// Most bytes of metadata, as JSON without spaces.
    package static let metadataBytes = 2 << 10
    /// Most levels of arrays and objects in metadata, the outermost one included.
    package static let metadataLevels = 8
}
