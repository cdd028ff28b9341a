import Contracts
import Foundation
import Hummingbird

/// verifyReceipt, which answers with HTTP 200 and a status of its own, whatever is wrong.
extension StoreCall {
    /// Bytes of the longest body; HTTP 413 beyond.
    static let maximumReceiptBytes = 3_145_728

    func verifyReceipt() async throws -> Response {
        let buffer = try await request.body.collect(upTo: Self.maximumReceiptBytes)
        do {
            let wanted: ReceiptRequest
            do {
                wanted = try JSONDecoder().decode(ReceiptRequest.self, from: Data(buffer.readableBytesView))
            } catch {
                throw ReceiptStatus.malformed
            }
            let verification = ReceiptVerification(store: store, environment: environment)
            return try .json(await verification.answer(to: wanted, signing: quality))
        } catch let status as ReceiptStatus {
            return try answer(status)
        }
    }

    func answer(_ status: ReceiptStatus) throws -> Response { try .json(["status": status.code]) }
}
