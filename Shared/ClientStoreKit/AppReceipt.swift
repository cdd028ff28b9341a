#if canImport(StoreKit)
internal import Foundation
internal import StoreKit

/// The app's receipt: everything that was bought in the app, in one file that Apple has signed.
enum AppReceipt {
    /// Under this id the receipt is kept; it is no transaction of StoreKit's.
    private static let transactionID = "app-receipt"

    /// As Apple sends it now, which may ask for a password; nil where there is none.
    static func refreshed() async -> SeenTransaction? {
        await ReceiptRefresh().run()
        guard let file = Bundle.main.appStoreReceiptURL else { return nil }
        do {
            let text = try Data(contentsOf: file).base64EncodedString()
            return SeenTransaction(transactionID: transactionID, content: .appReceipt(text))
        } catch { return nil }
    }
}

/// One request for the app's receipt.
private final class ReceiptRefresh: NSObject, SKRequestDelegate, Sendable {
    private let (waiting, done) = AsyncStream<Void>.makeStream()

    /// Returns when Apple has answered, or has not.
    @MainActor func run() async {
        let request = SKReceiptRefreshRequest(receiptProperties: nil)
        request.delegate = self
        request.start()
        for await _ in waiting {}
        request.delegate = nil
    }

    func requestDidFinish(_ request: SKRequest) { done.finish() }
    func request(_ request: SKRequest, didFailWithError error: any Error) { done.finish() }
}
#endif
