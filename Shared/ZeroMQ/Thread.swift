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
    let start = Unmanaged.passRetained(
        ThreadStart {
            pthread_setname_np(pthread_self(), kernelName)
            body()
        }
    )
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
            Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().run()
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
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
