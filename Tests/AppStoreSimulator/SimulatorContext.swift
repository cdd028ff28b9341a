import Hummingbird
import NIOCore

/// What belongs to one request: its connection, who asks, and how the answer is to be signed.
struct SimulatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    var callerBundleId = ""
    var signature = SignatureQuality.genuine

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}

/// How what Apple signs is signed.
enum SignatureQuality: Sendable {
    case genuine
    case forged
    case expired
}
