import AppStoreSigning
import Contracts
import Foundation

/// What fuzzing begins with: one file per example of what each door is made for.
struct FuzzSeeds {
    private let signer: AppStoreSigner
    /// A folder of Apple's and others' data; nil where there is none.
    private let vectors: URL?

    init(signer: AppStoreSigner, vectors: URL?) {
        self.signer = signer
        self.vectors = vectors
    }

    /// The examples of a target.
    func examples(of target: FuzzTarget) throws -> [[UInt8]] {
        let own = try made(for: target)
        guard let vectors else { return own }
        return try own
            + Self.files(for: target).map { folder, isBase64 in
                try Self.contents(of: vectors.appending(path: folder), isBase64: isBase64)
            }.joined()
    }

    private static func files(for target: FuzzTarget) -> [(folder: String, isBase64: Bool)] {
        switch target {
        case .jws, .notification:
            [("apple-mock/jws", false), ("apple-mock/models", false), ("apple-mock/chains", false)]
        case .json: [("apple-mock/models", false)]
        case .receipt: [("apple-mock/xcode", true), ("apple-real", true), ("apple-mock/jws", false)]
        }
    }

    /// The files of a folder; where they are base64, what it stands for.
    private static func contents(of folder: URL, isBase64: Bool) throws -> [[UInt8]] {
        let manager = FileManager.default
        let files = try manager.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.path < $1.path }.map { file in
            let data = try Data(contentsOf: file)
            let decoded = isBase64 ? Data(base64Encoded: data, options: .ignoreUnknownCharacters) : nil
            return Array(decoded ?? data)
        }
    }

    private func made(for target: FuzzTarget) throws -> [[UInt8]] {
        let purchase = SimulatedPurchase(bundleId: "com.example.game", productId: "coins100")
        let transaction = purchase.transaction(at: FuzzWorld.now)
        let payload = Array(try JSONEncoder().encode(transaction))
        switch target {
        case .jws:
            return try [Array(signer.sign(payload: payload).utf8), payload] + signer.certificates
                + Self.proofs { $0 != .appReceipt && $0 != .transactionReceipt }.map { Array($0.utf8) }
        case .notification:
            let inner = try signer.sign(payload: payload)
            let notification = Array(
                """
                {"notificationType":"ONE_TIME_CHARGE","notificationUUID":"7e3fb20b-4cdb-47cc-936d-99d65f608138",\
                "version":"2.0","signedDate":1767225600000,"data":{"bundleId":"com.example.game",\
                "environment":"Production","signedTransactionInfo":"\(inner)"}}
                """.utf8
            )
            return [Array(try signer.sign(payload: notification).utf8), notification]
        case .json:
            let facts = TransactionFacts(
                environment: .sandbox,
                bundleId: BundleID(unchecked: purchase.bundleId),
                transactionId: TransactionID(unchecked: "2000000000000001"),
                originalTransactionId: TransactionID(unchecked: "2000000000000001"),
                productId: ProductID(unchecked: purchase.productId),
                quantity: 1,
                type: "Consumable",
                purchaseDate: FuzzWorld.now,
                signedDate: FuzzWorld.now
            )
            let texts = [#"[{"é":"a\nb"},-0,01,1.5,1e3,12345678901234567890,null,true]"#, #"{"a":1,"a":2}"#]
            return [payload, try EventEncoder().encode(facts)] + texts.map { Array($0.utf8) }
        case .receipt:
            let receipt = SimulatedReceipt(
                bundleId: purchase.bundleId,
                creationDate: FuzzWorld.now,
                purchases: [transaction]
            )
            return try Self.proofs { $0 == .appReceipt }.compactMap {
                Data(base64Encoded: $0).map(Array.init)
            }
                + [receipt.content, Self.purchaseInfo]
        }
    }

    /// Proofs of each form of these kinds, in order and forged.
    private static func proofs(of isWanted: (SignedForm.Kind) -> Bool) throws -> [String] {
        try SignedForm.all.filter { isWanted($0.kind) }.map { try $0.example().proof }
    }

    /// What a transaction receipt of iOS 6 states.
    private static let purchaseInfo = Array(
        """
        {"transaction-id" = "2"; "original-transaction-id" = "1"; "product-id" = "coins100";
        "bid" = "com.example.game"; "quantity" = "1"; "purchase-date" = "2026-01-01 00:00:00 Etc/GMT";
        "purchase-date-ms" = "1767225600000"; "original-purchase-date-ms" = "1767225600000";}
        """.utf8
    )
}
