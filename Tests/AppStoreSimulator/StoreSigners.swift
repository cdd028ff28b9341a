import AppStoreSigning

/// The keys that sign what the store says, good and bad.
struct StoreSigners: Sendable {
    let genuine: AppStoreSigner
    let receipts: AppReceiptSigner
    let responder: OCSPResponder?
    private let forged: AppStoreSigner

    init(stateFolder: String, ocsp: String? = nil) throws {
        genuine = try AppStoreSigner(stateFolder: stateFolder, ocsp: ocsp)
        responder = try genuine.responder()
        receipts = try AppReceiptSigner(stateFolder: stateFolder)
        forged = genuine.forging()
    }

    func signer(_ quality: SignatureQuality) -> AppStoreSigner {
        switch quality {
        case .genuine: genuine
        case .forged: forged
        case .expired: genuine.expired()
        }
    }
}
