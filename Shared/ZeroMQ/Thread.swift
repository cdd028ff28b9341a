import CZeroMQ
import Glibc

private let maximumNameBytes = 15

/// Runs `body` on a thread of its own; ends the process if the system has none left.
package func runThread(name: String, stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    do { _ = try startThread(name: name, stackBytes: stackBytes, body) } catch {
        preconditionFailure("\(name): \(error)")
    }
}

func startThread(
    name: String,
    stackBytes: Int? = nil,
    _ body: @escaping @Sendable () -> Void
) throws(ZeroMQError) -> pthread_t {
    let kernelName = String(decoding: name.utf8.prefix(maximumNameBytes), as: UTF8.self)
    let start = Unmanaged.passRetained(ThreadStart(name: kernelName, body: body))
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
    let code = pthread_create(
        &thread,
        &attributes,
        { argument in
            guard let argument else { return nil }
            let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
            pthread_setname_np(pthread_self(), start.name)
            start.body()
            return nil
        },
        start.toOpaque()
    )
    guard code == 0 else {
        start.release()
        throw .callFailed("pthread_create", code: code)
    }
    pthread_detach(thread)
    return thread
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}
