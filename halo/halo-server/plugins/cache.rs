//! The write cache as a plugin of nbdkit: `nbdkit-halo-plugin.so`.

halo_server::register!(halo_server::HaloPlugin);
