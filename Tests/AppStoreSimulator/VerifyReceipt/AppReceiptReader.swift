import AppStoreSigning
import Contracts
import SwiftASN1

/// Reads the app receipts of this store.
///
/// A receipt is this store's when the store would sign its content with these very bytes: its signature,
/// RSA with PKCS #1 v1.5, is the same every time.
enum AppReceiptReader {
    /// What a receipt says.
    static func read(_ bytes: [UInt8], signer: AppReceiptSigner) throws(ReceiptFailure) -> ReceiptContent {
        let content = try content(of: bytes)
        guard try isOwn(bytes, content, signer) else { throw .forged }
        let fields = try Fields(content)
        guard let bundleId = fields.text(2), let type = fields.text(0) else { throw .malformed }
        let environment: StoreEnvironment = type.hasSuffix("Sandbox") ? .sandbox : .production
        var transactions: [SignedTransaction] = []
        for row in fields.values(17) {
            transactions.append(try transaction(Fields(row), bundleId: bundleId, environment: environment))
        }
        var receipt = ReceiptContent(
            form: .app,
            environment: environment,
            bundleId: bundleId,
            transactions: transactions
        )
        receipt.creationDate = fields.date(12) ?? 0
        receipt.applicationVersion = fields.text(3) ?? ""
        receipt.originalApplicationVersion = fields.text(19) ?? ""
        return receipt
    }

    private static func isOwn(
        _ bytes: [UInt8],
        _ content: [UInt8],
        _ signer: AppReceiptSigner
    ) throws(ReceiptFailure) -> Bool {
        do { return try signer.sign(content: content) == bytes } catch { throw .malformed }
    }

    /// ContentInfo → [0] → SignedData → its third part → [0] → the octets (RFC 5652).
    private static func content(of bytes: [UInt8]) throws(ReceiptFailure) -> [UInt8] {
        let signedData = try child(1, of: parse(bytes[...]))
        let encapsulated = try child(2, of: child(0, of: signedData))
        return Array(try octets(child(0, of: child(1, of: encapsulated))))
    }

    private static func transaction(
        _ fields: Fields,
        bundleId: String,
        environment: StoreEnvironment
    ) throws(ReceiptFailure) -> SignedTransaction {
        guard let id = fields.text(1703), let product = fields.text(1702) else { throw .malformed }
        var transaction = SignedTransaction(
            transactionId: id,
            originalTransactionId: fields.text(1705) ?? id,
            bundleId: bundleId,
            productId: product,
            purchaseDate: fields.date(1704) ?? 0,
            quantity: fields.number(1701) ?? 1,
            type: "",
            environment: environment.rawValue,
            signedDate: 0
        )
        transaction.originalPurchaseDate = fields.date(1706)
        transaction.expiresDate = fields.date(1708)
        transaction.revocationDate = fields.date(1712)
        transaction.webOrderLineItemId = fields.number(1711).flatMap { $0 == 0 ? nil : String($0) }
        if fields.number(1719) == 1 { transaction.offerType = 1 }
        if fields.number(1713) == 1 { transaction.offerDiscountType = "FREE_TRIAL" }
        return transaction
    }

    /// A receipt's fields by their number: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
    private struct Fields {
        private var values: [Int: [ArraySlice<UInt8>]] = [:]

        init(_ bytes: some Collection<UInt8>) throws(ReceiptFailure) {
            for field in try AppReceiptReader.children(of: AppReceiptReader.parse(Array(bytes)[...])) {
                let number = try AppReceiptReader.integer(AppReceiptReader.child(0, of: field))
                values[number, default: []]
                    .append(try AppReceiptReader.octets(AppReceiptReader.child(2, of: field)))
            }
        }

        func values(_ number: Int) -> [ArraySlice<UInt8>] { values[number, default: []] }

        /// The text in a field, nil when it is absent or empty.
        func text(_ number: Int) -> String? {
            guard let node = node(number), case .primitive(let bytes) = node.content, !bytes.isEmpty else {
                return nil
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        func date(_ number: Int) -> Int64? {
            text(number).flatMap(Timestamp.init(rfc3339:)).map(\.milliseconds)
        }

        func number(_ number: Int) -> Int? {
            guard let node = node(number) else { return nil }
            do { return try AppReceiptReader.integer(node) } catch { return nil }
        }

        private func node(_ number: Int) -> ASN1Node? {
            guard let bytes = values[number]?.first else { return nil }
            do { return try AppReceiptReader.parse(bytes) } catch { return nil }
        }
    }

    // MARK: DER

    private static func parse(_ bytes: ArraySlice<UInt8>) throws(ReceiptFailure) -> ASN1Node {
        do { return try DER.parse(bytes) } catch { throw .malformed }
    }

    private static func children(of node: ASN1Node) throws(ReceiptFailure) -> [ASN1Node] {
        guard case .constructed(let nodes) = node.content else { throw .malformed }
        return Array(nodes)
    }

    private static func child(_ index: Int, of node: ASN1Node) throws(ReceiptFailure) -> ASN1Node {
        let children = try children(of: node)
        guard children.indices.contains(index) else { throw .malformed }
        return children[index]
    }

    private static func octets(_ node: ASN1Node) throws(ReceiptFailure) -> ArraySlice<UInt8> {
        guard case .primitive(let bytes) = node.content else { throw .malformed }
        return bytes
    }

    private static func integer(_ node: ASN1Node) throws(ReceiptFailure) -> Int {
        do { return try Int(derEncoded: node) } catch { throw .malformed }
    }
}
