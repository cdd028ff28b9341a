#if canImport(StoreKit)
public import Foundation
internal import StoreKit

/// The app's receipt: everything that was bought in the app, in one file that Apple has signed.
@MainActor public final class AppReceipt {
    /// Under this id the receipt is kept; it is no transaction of StoreKit's.
    public nonisolated static let transactionID = "app-receipt"

    private let file: @MainActor () -> URL?
    private var hasRefreshed = false

    /// `file` is where the receipt lies.
    public init(file: @escaping @MainActor () -> URL? = { Bundle.main.appStoreReceiptURL }) {
        self.file = file
    }

    /// The receipt; where it is missing, or with `refreshing`, Apple is asked for it, at most once a launch.
    public func current(refreshing: Bool = false) async -> SeenTransaction? {
        let here = read()
        guard !hasRefreshed, refreshing || here == nil else { return here }
        hasRefreshed = true
        await ReceiptRefresh().run()
        return read()
    }

    private func read() -> SeenTransaction? {
        guard let file = file() else { return nil }
        do {
            let text = try Data(contentsOf: file).base64EncodedString()
            return SeenTransaction(transactionID: Self.transactionID, content: .appReceipt(text))
        } catch {
            return nil
        }
    }
}

/// One request for the app's receipt.
@MainActor private final class ReceiptRefresh: NSObject, SKRequestDelegate {
    private var waiting: CheckedContinuation<Void, Never>?
    private let request = SKReceiptRefreshRequest(receiptProperties: nil)

    /// Returns when Apple has answered, or has not.
    func run() async {
        await withCheckedContinuation { continuation in
            waiting = continuation
            request.delegate = self
            request.start()
        }
    }

    nonisolated func requestDidFinish(_ request: SKRequest) { MainActor.assumeIsolated { resume() } }

    nonisolated func request(_ request: SKRequest, didFailWithError error: any Error) {
        MainActor.assumeIsolated { resume() }
    }

    private func resume() {
        waiting?.resume()
        waiting = nil
    }
}
#endif
