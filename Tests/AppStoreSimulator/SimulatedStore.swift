import AppStoreSigning
import Contracts
import Foundation

/// The App Store as the simulator plays it: it sells, it refunds, and signs what it says.
struct SimulatedStore: Sendable {
    let signers: StoreSigners
    let sales: SaleRepository
    let apps = AppDirectory()
    let notifications = ServerNotificationQueue()
    let consumption = ConsumptionLog()
    let requests = RequestLog()
    let revocations = RevocationList()
    let faults: FaultList
    /// Where the type of a product stands that a purchase does not tell.
    let catalog: CatalogFile?
    let chance: Chance
    let now: @Sendable () -> Timestamp
    /// Waits for so many milliseconds.
    let pause: @Sendable (Int64) async throws -> Void

    init(
        folder: String,
        ocsp: String? = nil,
        catalog: CatalogFile? = nil,
        chance: Chance = .system,
        now: @escaping @Sendable () -> Timestamp,
        pause: @escaping @Sendable (Int64) async throws -> Void
    ) throws {
        signers = try StoreSigners(stateFolder: folder, ocsp: ocsp)
        sales = try SaleRepository(folder: folder, chance: chance)
        faults = FaultList(chance: chance)
        self.catalog = catalog
        self.chance = chance
        self.now = now
        self.pause = pause
    }

    // MARK: Signing

    /// A sale as it stands, signed now: the signature is never older than an earlier one's.
    func signed(_ sale: Sale, _ quality: SignatureQuality) throws -> String {
        var transaction = sale.transaction
        transaction.signedDate = max(now().milliseconds, transaction.signedDate)
        return try signers.signer(quality).sign(transaction: transaction)
    }

    func signed(payload: some Encodable, _ quality: SignatureQuality) throws -> String {
        try signers.signer(quality).sign(payload: Array(JSONEncoder().encode(payload)))
    }

    /// A sale with its proof, as the control interface hands it out.
    func sold(_ sale: Sale, _ quality: SignatureQuality) throws -> SoldTransaction {
        let proofs = TransactionProofs(
            signedTransaction: try signers.signer(quality).sign(transaction: sale.transaction),
            customerOrderNumber: CustomerOrderNumber.of(sale.id)
        )
        return SoldTransaction(one: sale.transaction, other: proofs)
    }

    // MARK: Receipts

    /// The app receipt of the buyer of a sale: all purchases but for finished consumables.
    ///
    /// With a forged signature its last byte is wrong; for an expired certificate it is dated before the
    /// certificates' first day, as a receipt counts at its creation date.
    func appReceipt(for sale: Sale, _ quality: SignatureQuality) async throws -> String {
        let held = await sales.history(of: sale).filter { !($0.isConsumable && $0.isFinished) }
        return try appReceipt(
            bundleId: sale.transaction.bundleId,
            environment: sale.transaction.environment,
            of: held.map(\.transaction),
            quality
        )
    }

    func appReceipt(
        bundleId: String,
        environment: String,
        of transactions: [SignedTransaction],
        _ quality: SignatureQuality
    ) throws -> String {
        let created = quality == .expired ? Self.beforeCertificates : now()
        // Apple promises no order; that of the random numbers keeps readers from relying on one.
        let purchases = transactions.sorted { $0.transactionId < $1.transactionId }
        var receipt = SimulatedReceipt(bundleId: bundleId, creationDate: created, purchases: purchases)
        receipt.receiptType = environment == "Sandbox" ? "ProductionSandbox" : environment
        let bytes = try signers.receipts.sign(receipt)
        return Data(quality == .forged ? bytes.spoiled : bytes).base64EncodedString()
    }

    /// 2019-06-01T00:00:00Z.
    private static let beforeCertificates = Timestamp(milliseconds: 1_559_347_200_000)

    /// The receipt of one transaction as iOS 6 had it.
    func transactionReceipt(of transaction: SignedTransaction, _ quality: SignatureQuality) throws -> String {
        try signers.signer(quality).transactionReceipt(of: transaction)
    }

    /// What a receipt of either kind says, if it is this store's.
    func read(receipt bytes: [UInt8]) throws(ReceiptStatus) -> ReceiptContent {
        bytes.first == UInt8(ascii: "{")
            ? try TransactionReceipt.read(bytes, signer: signers.genuine)
            : try ReceiptContent(appReceipt: bytes, root: signers.receipts.rootDER, now: now())
    }
}

/// A transaction with its proof: Apple's fields, and beside them `signedTransaction`.
typealias SoldTransaction = Merged<SignedTransaction, TransactionProofs>

/// What proves a transaction to an app.
struct TransactionProofs: Encodable, Sendable {
    let signedTransaction: String
    /// The order number on the buyer's invoice.
    let customerOrderNumber: String?
    var transactionReceipt: String?
}
